/** A page as it is printed, with the quoted lines and the places found marked over it. */

import { pageImageProblem, pageImageUrl } from '../api.js';
import { emit, h, icon, setText } from '../dom.js';
import { words } from '../messages.js';

/**
 * @typedef {import('../contract.js').Box} Box
 *
 * @typedef {object} Sheet
 * @property {string} documentId
 * @property {number} page
 * @property {number} width   in points
 * @property {number} height
 * @property {readonly Box[]} quoted   boxes of the quoted lines
 * @property {readonly Box[]} passage   boxes of a passage that was found but is not quoted
 * @property {readonly (readonly Box[])[]} found   boxes of each place that the search found
 * @property {number} at   which of them is meant; -1: none
 * @property {boolean} cited   whether a citation stands on this page
 * @property {boolean} away   whether the citation stands on another page
 * @property {string} alt
 */

const ZOOMS = [1, 1.25, 1.5, 2, 3];

export class RagPage extends HTMLElement {
  // A whole page on a narrow screen is too small to read.
  #zoom = matchMedia('(max-width: 759px)').matches ? 2 : 0;
  #whole = false;
  /** @type {Sheet | null} */
  #shown = null;
  #lines = h('div', { class: 'sheet__lines', 'aria-hidden': 'true' });
  #image = h('img', { class: 'sheet__image', onload: () => this.#loaded(), onerror: () => void this.#failed() });
  #sheet = h('div', { class: 'sheet' }, this.#image, this.#lines);
  #scroller = h('div', { class: 'page__scroll', tabindex: 0, role: 'region', 'aria-label': words.thePage }, this.#sheet);
  #note = h('p', { class: 'quiet page__note' });
  #smaller = this.#button('smaller', words.zoomOut, () => this.magnify(-1));
  #larger = this.#button('larger', words.zoomIn, () => this.magnify(1));
  #fit = this.#button('page', words.fitPage, () => this.fit());
  #back = this.#button('mark', words.backToLines, () => (this.#shown?.away ? emit(this, 'lines-asked', null) : this.#toLines()));
  #resized = new ResizeObserver(() => this.#applySize());

  /** The buttons that change how the page is seen. */
  tools = h('div', { class: 'buttons' }, this.#back, this.#smaller, this.#larger, this.#fit);

  connectedCallback() {
    this.classList.add('page');
    this.replaceChildren(this.#note, this.#scroller);
    this.#resized.observe(this.#scroller);
  }

  disconnectedCallback() {
    this.#resized.disconnect();
  }

  clear() {
    this.hidden = true;
    this.tools.hidden = true;
    this.#shown = null;
  }

  /** @param {Sheet} sheet */
  showPage(sheet) {
    const before = this.#shown;
    this.#shown = sheet;
    this.hidden = false;
    this.tools.hidden = false;
    this.setAlt(sheet.alt);
    const url = pageImageUrl(sheet.documentId, sheet.page);
    if (this.#image.getAttribute('src') !== url) {
      this.#sheet.classList.add('sheet--loading');
      this.#image.src = url;
      setText(this.#note, words.pageLoading);
    } else this.#sayLines();
    const { width, height, quoted, passage, found, at, away } = sheet;
    this.#sheet.style.aspectRatio = `${width} / ${height}`;
    this.#back.hidden = !away && quoted.length + passage.length === 0;
    this.#lines.replaceChildren(
      ...passage.map((box) => line(box, sheet, 'sheet__passage')),
      ...quoted.map((box) => line(box, sheet, 'sheet__line')),
      ...found.flatMap((boxes, index) => boxes.map((box) => line(box, sheet, index === at ? 'sheet__hit sheet__hit--at' : 'sheet__hit'))),
    );
    this.#applySize();
    const same = before?.documentId === sheet.documentId && before.page === sheet.page;
    if (!same || at !== before?.at || before?.quoted !== quoted || before?.passage !== passage) this.#toLines();
  }

  /** What is said of the picture to those who do not see it. @param {string} alt */
  setAlt(alt) {
    this.#image.alt = alt;
  }

  /** @param {number} step */
  magnify(step) {
    const zoom = Math.min(ZOOMS.length - 1, Math.max(0, this.#zoom + step));
    if (this.hidden || (zoom === this.#zoom && !this.#whole)) return;
    this.#zoom = zoom;
    this.#whole = false;
    this.#applySize();
    this.#toLines();
  }

  /** Between the whole width and the whole page. */
  fit() {
    this.#whole = !this.#whole;
    this.#zoom = 0;
    this.#applySize();
    this.#toLines();
  }

  #loaded() {
    this.#sheet.classList.remove('sheet--loading');
    this.#sayLines();
  }

  #sayLines() {
    const shown = this.#shown;
    setText(this.#note, shown?.cited && shown.quoted.length === 0 ? words.noLines : '');
  }

  async #failed() {
    const shown = this.#shown;
    if (!shown) return;
    const problem = await pageImageProblem(pageImageUrl(shown.documentId, shown.page));
    if (this.#shown?.documentId !== shown.documentId || this.#shown.page !== shown.page) return;
    this.clear();
    this.#image.removeAttribute('src');
    emit(this, 'page-failed', problem);
  }

  #applySize() {
    const shown = this.#shown;
    if (!shown) return;
    if (this.#whole) {
      const style = getComputedStyle(this.#scroller);
      const room = this.#scroller.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
      this.#sheet.style.width = `min(100%, ${Math.max(120, room * (shown.width / shown.height))}px)`;
    } else this.#sheet.style.width = `${ZOOMS[this.#zoom] * 100}%`;
    this.#sheet.classList.toggle('sheet--whole', this.#whole);
    this.#smaller.setAttribute('aria-disabled', String(this.#zoom === 0));
    this.#larger.setAttribute('aria-disabled', String(this.#zoom === ZOOMS.length - 1));
    const label = this.#whole ? words.fitWidth : words.fitPage;
    this.#fit.setAttribute('aria-label', label);
    this.#fit.title = label;
    this.#fit.replaceChildren(icon(this.#whole ? 'width' : 'page'));
  }

  /** Brings the place meant, else the first line of the quote or passage, into the upper third of what can be seen. */
  #toLines() {
    const shown = this.#shown;
    const [box] = shown ? [...(shown.found[shown.at] ?? []), ...shown.quoted, ...shown.passage] : [];
    if (!shown || !box) {
      this.#scroller.scrollTo(0, 0);
      return;
    }
    const scale = this.#sheet.offsetWidth / shown.width;
    const top = box[1] * scale - this.#scroller.clientHeight / 3;
    this.#scroller.scrollTo(Math.max(0, box[0] * scale - 24), Math.max(0, top));
  }

  /** @param {string} shape @param {string} label @param {() => void} onclick */
  #button(shape, label, onclick) {
    return h('button', { type: 'button', class: 'button button--icon', 'aria-label': label, title: label, onclick }, icon(shape));
  }
}

/** A marked line: shares of the page, so that it scales with the image. @param {Box} box @param {Sheet} sheet @param {string} look */
function line([x0, y0, x1, y1], { width, height }, look) {
  const element = h('span', { class: look });
  element.style.left = `${(x0 / width) * 100}%`;
  element.style.top = `${(y0 / height) * 100}%`;
  element.style.width = `${((x1 - x0) / width) * 100}%`;
  element.style.height = `${((y1 - y0) / height) * 100}%`;
  return element;
}
