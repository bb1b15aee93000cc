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

  // Whoever follows a link to a table has its files asked for at once, and not only after the app has looked around.
  // Whoever is elsewhere will soon sit at a table: its files come when there is nothing else to do.
  var files = document.currentScript.dataset.table;
  if (!files) return;
  var now = location.pathname.startsWith("/t/");
  function fetchTable() {
    files.split(" ").forEach(function (file) {
      var style = file.endsWith(".css");
      var link = document.createElement("link");
      link.rel = now ? (style ? "preload" : "modulepreload") : "prefetch";
      link.as = style ? "style" : "script";
      link.crossOrigin = "";
      link.href = file;
      document.head.append(link);
    });
  }
  if (now) fetchTable();
  else setTimeout(fetchTable, 2500);
})();
