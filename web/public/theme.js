// Runs before the first paint, so that the night never flashes white.
(function () {
  var kept = null;
  try {
    kept = localStorage.getItem("riverstones.theme");
  } catch (_) {
    // Storage may be closed; then the system decides.
  }
  var dark = kept ? kept === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
