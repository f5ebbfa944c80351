// Search that works from file://, too, where browsers refuse workers and requests: the index comes as a script.
(function () {
  var box = document.getElementById("mkdocs-search-query");
  if (!box) return;
  var base = base_url.replace(/\/?$/, "/"), shown = document.getElementById("mkdocs-search-results");

  function load(name, then) {
    var script = document.createElement("script");
    script.src = base + "search/" + name;
    script.onload = then;
    document.head.appendChild(script);
  }

  function element(kind, text) {
    var made = document.createElement(kind);
    made.textContent = text;
    return made;
  }

  function start() {
    var docs = {};
    var index = lunr(function () {
      this.field("title", { boost: 10 });
      this.field("text");
      this.ref("location");
      searchIndex.docs.forEach(function (doc) { docs[doc.location] = doc; this.add(doc); }, this);
    });
    function search() {
      var words = lunr.tokenizer(box.value);
      var found = index.query(function (query) {
        words.forEach(function (word) {
          query.term(word, { boost: 10 });
          if (word.toString().length > 3) query.term(word, { wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false });
        });
      });
      shown.replaceChildren();
      if (!found.length) shown.appendChild(element("p", shown.dataset.noResultsText || "No results found"));
      found.slice(0, 50).forEach(function (result) {
        var doc = docs[result.ref], link = element("a", doc.title), head = element("h3", ""), article = element("article", "");
        link.href = base + doc.location;
        head.appendChild(link);
        article.append(head, element("p", doc.text.substring(0, 200)));
        shown.appendChild(article);
      });
    }
    box.addEventListener("keyup", search);
    var asked = new URLSearchParams(window.location.search).get("q");
    if (asked) { box.value = asked; search(); }
  }

  load("lunr.js", function () { load("search_index.js", start); });
})();
