// The service worker keeps the whole site in this browser; a newer version waits until somebody reloads.

/** Keep the site at hand; `update` and `reload` are the words of the bar that tells of a newer version. */
export async function watchVersion(script, update, reload) {
  if (!navigator.serviceWorker) return;
  try {
    const registration = await navigator.serviceWorker.register(script);
    const look = () => registration.waiting && navigator.serviceWorker.controller && offer(registration, update, reload);
    const hear = () => registration.installing?.addEventListener("statechange", look);
    look();
    hear(); // the browser may have found it before this page asked
    registration.addEventListener("updatefound", hear);
    await navigator.serviceWorker.ready;
    document.body.dataset.offline = "yes";
  } catch { /* a browser that keeps nothing loads the site each time */ }
}

function offer(registration, update, reload) {
  if (document.querySelector(".update")) return;
  const bar = document.createElement("p");
  const button = document.createElement("button");
  bar.className = "update";
  bar.setAttribute("role", "status");
  button.textContent = reload;
  button.addEventListener("click", () => {
    if (!registration.waiting) return location.reload(); // another tab has let it take over
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), {once: true});
    registration.waiting.postMessage("take over");
  });
  bar.append(`${update} `, button);
  document.body.append(bar);
}
