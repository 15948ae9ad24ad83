"use strict";
(() => {
  const PAUSE = 1600; // milliseconds between moves that are played
  const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
  const { cards, boards } = JSON.parse(byId("game").textContent);
  const last = boards.length - 1;
  const columns = boards[0].columns.map((_, column) => column);
  const items = [...document.querySelectorAll("ol button")];
  let shown = 0; // number of the board that is shown
  let timer = null;

  function byId(id) {
    return document.getElementById(id);
  }

  function element(parent, kind, content = "<span></span>") {
    const made = document.createElement("div");
    made.className = kind;
    made.innerHTML = content;
    parent.append(made);
    return made;
  }

  function place(item, column, row = 0) {
    item.style.setProperty("--column", column);
    item.style.setProperty("--row", row);
  }

  // The board's elements are made once; steps only place them.
  const board = byId("board");
  const heads = columns.map((column) => element(board, "head", `${column + 1}`));
  columns.forEach((column) => place(element(board, "slot"), column));
  heads.forEach((head, column) => place(head, column));
  const landing = element(board, "landing");
  const faces = cards.map(({ rank, suit }) =>
    element(
      board,
      "HD".includes(suit) ? "card red" : "card",
      `<span><b>${rank}</b><svg><use href="#${suit}"/></svg></span>`,
    ),
  );

  // The columns after the board's next move, before a complete run leaves.
  function moved({ columns, from, to, count }) {
    const result = columns.map((column) => [...column]);
    if (count) result[to].push(...result[from].splice(-count));
    return result;
  }

  // Where each card lay last: there it stays, unseen, when its run has left.
  const lastPlaces = new Map();
  let rows = 1;
  for (const one of boards) {
    moved(one).forEach((cardsThere, column) => {
      rows = Math.max(rows, cardsThere.length);
      cardsThere.forEach((card, row) => lastPlaces.set(card, [column, row]));
    });
  }
  board.style.setProperty("--rows", rows);
  board.style.setProperty("--columns", columns.length);

  function placeCards({ columns, from, to, count }) {
    const here = new Set();
    columns.forEach((cardsThere, column) =>
      cardsThere.forEach((card, row) => {
        here.add(card);
        place(faces[card], column, row);
        const moving = column === from && row >= cardsThere.length - count;
        faces[card].classList.toggle("moving", moving);
        faces[card].classList.remove("gone");
      }),
    );
    faces.forEach((face, card) => {
      if (here.has(card)) return;
      place(face, ...lastPlaces.get(card));
      face.classList.remove("moving");
      face.classList.add("gone");
    });
    landing.hidden = count === undefined;
    if (count) place(landing, to, columns[to].length);
    heads.forEach((head, column) => {
      head.classList.toggle("source", column === from);
      head.classList.toggle("target", column === to);
    });
  }

  // The app's own words, which the solver reads as well.
  function spoken({ columns, removed }) {
    const suits = [...removed].map((suit) => SUITS[suit]).join(", ");
    const status = `${removed.length || "No"} run${removed.length === 1 ? "" : "s"} removed`;
    const told = columns.map((cardsThere, column) => {
      const names = cardsThere.map((card) => cards[card].name);
      return `column ${column + 1}: ${names.join(", ") || "empty"}`;
    });
    return `${status}${suits && `: ${suits}`}. ${told.join("; ")}.`;
  }

  function removedRuns(removed) {
    const symbols = [...removed].map(
      (suit) => `<svg role="img" aria-label="${SUITS[suit]}"><use href="#${suit}"/></svg>`,
    );
    return `Removed ${symbols.join(" ") || "none"}`;
  }

  function show(number) {
    shown = Math.min(Math.max(number, 0), last);
    const one = boards[shown];
    const total = boards[last].moves;
    placeCards(one);
    const next = shown < last;
    byId("place").textContent = next ? `Move ${one.moves + 1} of ${total}` : `${total} moves made`;
    byId("score").textContent = one.score;
    byId("removed").innerHTML = removedRuns(one.removed);
    byId("words").textContent = one.words;
    byId("spoken").textContent = spoken(one);
    const slider = byId("slider");
    slider.value = shown;
    slider.setAttribute("aria-valuetext", `${one.moves} of ${total}`);
    for (const id of ["to-first", "to-previous"]) disable(id, shown === 0);
    for (const id of ["to-next", "to-last"]) disable(id, !next);
    items.forEach((item, index) => {
      if (index === shown) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    if (items[shown]) bringIntoView(items[shown]);
    remember();
  }

  // Not with `disabled`, which would take the focus away.
  function disable(id, off) {
    byId(id).setAttribute("aria-disabled", off);
  }

  // Only the list scrolls, where it does, and never the page.
  function bringIntoView(item) {
    const list = item.closest("ol");
    const top = item.offsetTop;
    if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }

  // A phone may drop the page and load it again: the step is in the address.
  function remember() {
    try {
      history.replaceState(null, "", `#${boards[shown].moves}`);
    } catch {
      // Some browsers refuse it, or too many of them in a short time.
    }
  }

  function go(number) {
    pause();
    show(number);
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    labelPlay("Play", "start");
  }

  function play() {
    if (shown === last) show(0);
    timer = setInterval(() => {
      show(shown + 1);
      if (shown === last) pause();
    }, PAUSE);
    labelPlay("Pause", "stop");
  }

  function labelPlay(label, icon) {
    byId("play").querySelector("span").textContent = label;
    byId("play").querySelector("use").setAttribute("href", `#${icon}`);
  }

  const toggle = () => (timer === null ? play() : pause());
  const toFirst = () => go(0);
  const toPrevious = () => go(shown - 1);
  const toNext = () => go(shown + 1);
  const toLast = () => go(last);

  byId("to-first").onclick = toFirst;
  byId("to-previous").onclick = toPrevious;
  byId("play").onclick = toggle;
  byId("to-next").onclick = toNext;
  byId("to-last").onclick = toLast;
  byId("slider").oninput = (event) => go(Number(event.target.value));
  items.forEach((item, index) => {
    item.onclick = () => {
      go(index);
      byId("now").scrollIntoView({ block: "nearest" });
    };
  });

  const KEYS = {
    ArrowLeft: toPrevious,
    ArrowRight: toNext,
    Home: toFirst,
    End: toLast,
    " ": toggle,
  };
  document.addEventListener("keydown", (event) => {
    const action = KEYS[event.key];
    if (!action || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // The slider knows the arrows, and the space bar presses what has the focus.
    const focused = event.target;
    if (event.key === " " ? focused.closest("button, summary") : focused.closest("input")) return;
    event.preventDefault();
    action();
  });

  byId("slider").max = last;
  document.querySelector(".controls").hidden = last === 0;
  document.querySelector(".game").hidden = false;
  const asked = boards.findIndex(({ moves }) => `#${moves}` === location.hash);
  show(Math.max(asked, 0));
})();
