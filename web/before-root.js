// Stands behind the page that the server has rendered in both languages, and leaves the right one before anything is painted; nothing where the visit
// goes on to another page: from the sign-in page when a customer is signed in, from the others when nobody is.
function kept(storage, key) {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

const root = document.getElementById('root');
const hindi = document.getElementById('root-hi');
const path = location.pathname;
const isLogin = /^\/login(\/|$)/.test(path);
const isSignedIn = kept(() => localStorage, 'portal.session') !== null;
const isView = kept(() => sessionStorage, 'operator.view') !== null;
// Letters that need no escape, in an address as in HTML.
if (isView || isSignedIn === isLogin || !/^[\w/.-]+$/.test(path)) root.replaceChildren();
else {
  if (kept(() => localStorage, 'language') === 'hi' && hindi.content.hasChildNodes()) {
    root.replaceChildren(hindi.content);
    document.documentElement.lang = 'hi-IN';
  }
  if (!isLogin) {
    root.innerHTML = root.innerHTML.replaceAll(/~(\d)~/g, (_place, part) => path.split('/')[part]);
    // What follows the ? may choose another view of the page than the one that was rendered.
    if (location.search !== '') root.querySelector('main')?.style.setProperty('visibility', 'hidden');
  }
}
hindi.remove();

// What is pressed before the page's code has come is not lost: the code presses it when it takes over. It waits for a press that has begun, since what
// it draws are other elements.
const nameOf = (button) => button.getAttribute('aria-label') ?? button.textContent;
const mostHeldMs = 10_000;
let pressed = null;
let held = Promise.resolve();
let release = () => undefined;
const listening = new AbortController();
function listen(type, listener) {
  addEventListener(type, listener, { capture: true, passive: true, signal: listening.signal });
}
listen('click', ({ target }) => (pressed = target.closest('button') ?? pressed));
listen('pointerdown', () => {
  held = new Promise((resolve) => (release = resolve));
  // A pointer may leave the window.
  setTimeout(release, mostHeldMs);
});
// The click comes with it.
for (const type of ['pointerup', 'pointercancel']) listen(type, () => setTimeout(release));

globalThis.takeOver = async function (draw) {
  await held;
  listening.abort();
  draw();
  if (pressed === null) return;
  const drawn = [...document.querySelectorAll('#root button')].find((each) => nameOf(each) === nameOf(pressed));
  drawn?.click();
};
