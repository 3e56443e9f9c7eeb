// Runs before the first paint, so that a page in dark mode never flashes white. A file of its own, as inline scripts are
// not allowed. The key is the one that MantineProvider keeps its choice under.
(function () {
  let kept = null;
  try {
    kept = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Without storage the system decides.
  }
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  document.documentElement.style.backgroundColor = dark ? '#0c0f0e' : '#fafaf8';
})();
