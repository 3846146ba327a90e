/** The script in a flame graph: zooming and searching. It takes everything from the drawing, by attributes and as text. */
export const SCRIPT = `
(function () {
  "use strict";
  var svg = document.querySelector("svg");
  var frames = Array.prototype.slice.call(svg.querySelectorAll("g.f"));
  var inner = Number(svg.getAttribute("data-inner"));
  var margin = Number(svg.getAttribute("data-margin"));
  var letter = Number(svg.getAttribute("data-letter"));
  var input = svg.querySelector("input");
  var found = svg.querySelector(".found");
  frames.forEach(function (g) {
    g.at = { x: Number(g.getAttribute("data-x")), w: Number(g.getAttribute("data-w")), d: Number(g.getAttribute("data-d")) };
    g.box = g.querySelector("rect");
    g.words = g.querySelector("text");
    g.called = g.getAttribute("data-n");
    g.addEventListener("click", function () { zoom(g); });
  });
  function place(g, x, w) {
    var left = margin + x * inner, wide = w * inner, room = Math.floor((wide - 6) / letter);
    g.box.setAttribute("x", left);
    g.box.setAttribute("width", wide);
    g.words.setAttribute("x", left + 3);
    g.words.textContent = room < 3 ? "" : g.called.length <= room ? g.called : g.called.slice(0, room - 1) + "\\u2026";
  }
  function zoom(to) {
    var near = 1e-6;
    frames.forEach(function (g) {
      var at = g.at, above = at.d < to.at.d && at.x <= to.at.x + near && at.x + at.w >= to.at.x + to.at.w - near;
      var inside = at.d >= to.at.d && at.x >= to.at.x - near && at.x + at.w <= to.at.x + to.at.w + near;
      g.style.display = above || inside ? "" : "none";
      g.classList.toggle("past", above);
      if (above) place(g, 0, 1);
      else if (inside) place(g, (at.x - to.at.x) / to.at.w, at.w / to.at.w);
    });
  }
  function search(text) {
    var wanted = text.toLowerCase(), sum = 0, covered = [];
    frames.forEach(function (g) {
      var hit = wanted !== "" && g.at.d > 0 && g.called.toLowerCase().indexOf(wanted) >= 0;
      g.classList.toggle("hit", hit);
      if (!hit) return;
      var inside = covered.some(function (one) { return g.at.x >= one.x - 1e-6 && g.at.x + g.at.w <= one.x + one.w + 1e-6; });
      if (inside) return;
      covered.push(g.at);
      sum += g.at.w;
    });
    found.textContent = wanted === "" ? "" : (sum * 100).toFixed(1) + " % found";
  }
  input.style.display = "";
  input.addEventListener("input", function () { search(input.value); });
})();
`;
