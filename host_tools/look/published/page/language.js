// Leads from an address that names no language to the same page in the reader's: the one that the address asks for, else
// the one that was chosen in this browser, else the first of the browser's own that the site has.
{
  const pages = new Map(Array.from(document.querySelectorAll("link[rel=alternate][hreflang]"), (link) => [link.hreflang, new URL(link.href)]));
  let chosen = "";
  try {
    chosen = localStorage.getItem("cardtable.language") || "";
  } catch { /* a browser that keeps nothing has its own languages */ }
  const wanted = [new URLSearchParams(location.search).get("language") || "", chosen, ...navigator.languages, document.documentElement.lang];
  const page = pages.get(wanted.map((one) => one.slice(0, 2)).find((one) => pages.has(one)));
  const nameOf = ({pathname}) => pathname.replace(/\/$/, "/index.html");
  if (page && nameOf(page) !== nameOf(location)) location.replace(page.href + location.hash);
}
