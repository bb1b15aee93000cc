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
  // Not by links of the kind "prefetch": Firefox holds them against default-src, which allows nothing. What fetch() asks for is
  // allowed by connect-src, and stays in the cache as well.
  setTimeout(function () {
    files.split(" ").forEach(function (file) {
      fetch(file, { priority: "low" })
        .then(function (answer) {
          return answer.arrayBuffer();
        })
        .catch(function () {
          // Without a network the table asks again when it is opened.
        });
    });
  }, 2500);
})();
