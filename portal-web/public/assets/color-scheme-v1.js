// Sets the colour scheme before the first paint. A file of its own, because the content security policy forbids inline scripts.
(function () {
  var stored = null;
  try {
    stored = window.localStorage.getItem('svc.color-scheme');
  } catch {
    // Storage is switched off, so the page follows the system.
  }
  var dark = stored === 'dark' || (stored !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
