/** The page as it is printed, with the quoted lines marked over it. */

import { pageImageProblem, pageImageUrl } from '../api.js';
import { emit, h, icon } from '../dom.js';
import { words } from '../messages.js';

/** @typedef {import('../contract.js').Citation} Citation */

const ZOOMS = [1, 1.5, 2, 3];

export class RagPage extends HTMLElement {
  // A whole page on a narrow screen is too small to read.
  #zoom = matchMedia('(max-width: 759px)').matches ? 1 : 0;
  /** @type {Citation | null} */
  #citation = null;
  #lines = h('div', { class: 'sheet__lines', 'aria-hidden': 'true' });
  #image = h('img', { class: 'sheet__image', onload: () => this.#loaded(), onerror: () => void this.#failed() });
  #sheet = h('div', { class: 'sheet' }, this.#image, this.#lines);
  #scroller = h('div', { class: 'page__scroll', tabindex: 0, role: 'region', 'aria-label': words.thePage }, this.#sheet);
  #note = h('p', { class: 'quiet page__note' });
  #smaller = this.#button('smaller', words.zoomOut, () => this.#magnify(-1));
  #larger = this.#button('larger', words.zoomIn, () => this.#magnify(1));
  #back = this.#button('mark', words.backToLines, () => this.#toLines());

  connectedCallback() {
    this.classList.add('page');
    this.replaceChildren(
      h('div', { class: 'page__head' }, h('h3', { class: 'label' }, words.thePage), this.#note, h('div', { class: 'buttons' }, this.#back, this.#smaller, this.#larger)),
      this.#scroller,
    );
  }

  clear() {
    this.hidden = true;
    this.#citation = null;
  }

  /** @param {Citation} citation */
  showCitation(citation) {
    this.#citation = citation;
    this.hidden = false;
    const url = pageImageUrl(citation.document_id, citation.page);
    this.#image.alt = words.pageImage(citation);
    if (this.#image.getAttribute('src') !== url) {
      this.#sheet.classList.add('sheet--loading');
      this.#image.src = url;
      this.#note.textContent = words.pageLoading;
    } else {
      this.#note.textContent = citation.rectangles.length ? '' : words.noLines;
    }
    const { page_width: width, page_height: height } = citation;
    this.#sheet.style.aspectRatio = width > 0 && height > 0 ? `${width} / ${height}` : 'auto';
    this.#back.hidden = citation.rectangles.length === 0;
    this.#lines.replaceChildren(...(width > 0 && height > 0 ? citation.rectangles.map((box) => line(box, width, height)) : []));
    this.#applyZoom();
    this.#toLines();
  }

  #loaded() {
    this.#sheet.classList.remove('sheet--loading');
    this.#note.textContent = this.#citation?.rectangles.length ? '' : words.noLines;
  }

  async #failed() {
    if (!this.#citation) return;
    const citation = this.#citation;
    const problem = await pageImageProblem(pageImageUrl(citation.document_id, citation.page));
    if (this.#citation !== citation) return;
    this.clear();
    this.#image.removeAttribute('src');
    emit(this, 'page-failed', { citation, problem });
  }

  /** @param {number} step */
  #magnify(step) {
    const zoom = Math.min(ZOOMS.length - 1, Math.max(0, this.#zoom + step));
    if (zoom === this.#zoom) return;
    this.#zoom = zoom;
    this.#applyZoom();
    this.#toLines();
  }

  #applyZoom() {
    this.#sheet.style.width = `${ZOOMS[this.#zoom] * 100}%`;
    this.#smaller.setAttribute('aria-disabled', String(this.#zoom === 0));
    this.#larger.setAttribute('aria-disabled', String(this.#zoom === ZOOMS.length - 1));
  }

  /** Brings the first quoted line into the upper third of what can be seen. */
  #toLines() {
    const [box] = this.#citation?.rectangles ?? [];
    const citation = this.#citation;
    if (!citation || !box || !(citation.page_width > 0)) {
      this.#scroller.scrollTo(0, 0);
      return;
    }
    const scale = this.#sheet.offsetWidth / citation.page_width;
    const top = box[1] * scale - this.#scroller.clientHeight / 3;
    this.#scroller.scrollTo(Math.max(0, box[0] * scale - 24), Math.max(0, top));
  }

  /** @param {string} shape @param {string} label @param {() => void} onclick */
  #button(shape, label, onclick) {
    return h('button', { type: 'button', class: 'button button--icon', 'aria-label': label, title: label, onclick }, icon(shape));
  }
}

/** A marked line: shares of the page, so that it scales with the image.
 * @param {import('../contract.js').Box} box @param {number} width @param {number} height */
function line([x0, y0, x1, y1], width, height) {
  const element = h('span', { class: 'sheet__line' });
  element.style.left = `${(x0 / width) * 100}%`;
  element.style.top = `${(y0 / height) * 100}%`;
  element.style.width = `${((x1 - x0) / width) * 100}%`;
  element.style.height = `${((y1 - y0) / height) * 100}%`;
  return element;
}
