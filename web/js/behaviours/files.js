/** Files that come by drop or by paste, anywhere on the window. Folders are opened. */

import { h } from '../dom.js';
import { words } from '../messages.js';

/**
 * @param {object} options
 * @param {(files: File[], skipped: number) => void} options.onFiles
 * @param {() => readonly string[]} options.accepts   endings; files of a folder with another one are left out
 */
export function takeFiles({ onFiles, accepts }) {
  const text = h('p');
  const veil = h('div', { class: 'veil', hidden: true }, text);
  document.body.append(veil);
  /** @param {DragEvent} event */
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files') ?? false;

  addEventListener('dragenter', (event) => {
    if (!hasFiles(event)) return;
    text.textContent = words.dropNow;
    veil.hidden = false;
  });
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    veil.hidden = false;
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) veil.hidden = true;
  });
  addEventListener('drop', (event) => {
    if (!hasFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    veil.hidden = true;
    void filesOf(event.dataTransfer, accepts()).then(({ files, skipped }) => onFiles(files, skipped));
  });
  addEventListener('paste', (event) => {
    const files = Array.from(event.clipboardData?.files ?? []);
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files, 0);
  });
}

/** @param {DataTransfer} transfer @param {readonly string[]} accepts */
async function filesOf(transfer, accepts) {
  // The items are gone after the first await, so their entries are taken at once.
  const entries = Array.from(transfer.items, (item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null));
  const folders = entries.filter((entry) => entry?.isDirectory);
  if (folders.length === 0) return { files: Array.from(transfer.files), skipped: 0 };
  const loose = Array.from(transfer.files).filter((_, index) => !entries[index]?.isDirectory);
  const inside = (await Promise.all(folders.map((entry) => walk(/** @type {FileSystemDirectoryEntry} */ (entry))))).flat();
  const { wanted, skipped } = ofKinds(inside, accepts);
  return { files: [...loose, ...wanted], skipped };
}

/** Of a folder's files those that can be read, and how many cannot. @param {readonly File[]} files @param {readonly string[]} accepts   endings */
export function ofKinds(files, accepts) {
  const wanted = files.filter((file) => accepts.some((ending) => file.name.toLowerCase().endsWith(ending)));
  return { wanted, skipped: files.length - wanted.length };
}

/** Every file below a folder. @param {FileSystemDirectoryEntry} folder @returns {Promise<File[]>} */
async function walk(folder) {
  const reader = folder.createReader();
  /** @type {File[]} */
  const files = [];
  for (;;) {
    // A reader hands out its entries in batches; an empty one is the end.
    const entries = await new Promise((/** @type {(entries: FileSystemEntry[]) => void} */ resolve) => reader.readEntries(resolve, () => resolve([])));
    if (entries.length === 0) return files;
    for (const entry of entries) {
      if (entry.isDirectory) files.push(...(await walk(/** @type {FileSystemDirectoryEntry} */ (entry))));
      else {
        const file = await new Promise((/** @type {(file: File | null) => void} */ resolve) =>
          /** @type {FileSystemFileEntry} */ (entry).file(resolve, () => resolve(null)),
        );
        if (file) files.push(file);
      }
    }
  }
}
