// Stands behind the sign-in page that the server has rendered in both languages, and leaves the right one before anything is painted; nothing where a
// customer is signed in, who goes on to another page.
function kept(storage, key) {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

const root = document.getElementById('root');
const hindi = document.getElementById('login-hi');
const goesOn =
  kept(() => localStorage, 'portal.session') !== null || kept(() => sessionStorage, 'operator.view') !== null;
if (goesOn) root.replaceChildren();
else if (kept(() => localStorage, 'language') === 'hi' && hindi.content.hasChildNodes()) {
  root.replaceChildren(hindi.content);
  document.documentElement.lang = 'hi-IN';
}
hindi.remove();
