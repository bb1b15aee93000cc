// Runs before the first paint.
(function () {
  // The night never flashes white.
  var kept = null;
  try {
    kept = localStorage.getItem("riverstones.theme");
  } catch (_) {
    // Storage may be closed; then the system decides.
  }
  var dark = kept ? kept === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";

  // Whoever is here will soon sit at a table: its files come when there is nothing else to do.
  var files = document.currentScript.dataset.table;
  if (!files) return;
  setTimeout(function () {
    files.split(" ").forEach(function (file) {
      var link = document.createElement("link");
      link.rel = "prefetch";
      link.as = file.endsWith(".css") ? "style" : "script";
      link.crossOrigin = "";
      link.href = file;
      document.head.append(link);
    });
  }, 2500);
})();
