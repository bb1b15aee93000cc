// Runs before the first paint.
(function () {
  // Set the theme before the first paint, so that the dark theme does not flash white.
  var kept = null;
  try {
    kept = localStorage.getItem("riverstones.theme");
  } catch (_) {
    // Storage may be blocked; then the theme of the system is used.
  }
  var dark = kept ? kept === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";

  // Fetch the files of a table, the most likely next page, when the network is idle.
  var files = document.currentScript.dataset.table;
  if (!files) return;
  // Not by prefetch links: Firefox checks them against default-src, which is 'none'. Files that fetch() loads are allowed by
  // connect-src and stay in the cache as well.
  setTimeout(function () {
    files.split(" ").forEach(function (file) {
      fetch(file, { priority: "low" })
        .then(function (answer) {
          return answer.arrayBuffer();
        })
        .catch(function () {
          // Without a network, the files are requested again when a table is opened.
        });
    });
  }, 2500);
})();
