// For a page at which no person sits, on a television or in a stream: a lost line may cut off one of its modules, and the browser
// asks for none of them again by itself. So the page is loaded again, once the line is back.

const LOOK_MS = 2000;

function lookAgain() {
  setTimeout(() => fetch(location.href).then((answer) => (answer.ok ? location.reload() : lookAgain()), lookAgain), LOOK_MS);
}

addEventListener("error", ({target}) => target instanceof HTMLScriptElement && lookAgain(), true);
