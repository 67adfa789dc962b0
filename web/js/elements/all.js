/** Makes the page's elements known to the browser, the inner ones first: an outer one makes and uses them as it is made. */

import { RagAnnouncer } from './announcer.js';
import { RagComposer } from './composer.js';
import { RagConversation } from './conversation.js';
import { RagElapsed } from './elapsed.js';
import { RagEvidence } from './evidence.js';
import { RagFinder } from './finder.js';
import { RagIntro } from './intro.js';
import { RagLibrary } from './library.js';
import { RagPageText } from './page-text.js';
import { RagPage } from './page.js';
import { RagPageView } from './page-view.js';
import { RagPlaces } from './places.js';
import { RagSections } from './sections.js';
import { RagSource } from './source.js';
import { RagStatus } from './status.js';
import { RagStrip } from './strip.js';
import { RagSupport } from './support.js';
import { RagToast } from './toast.js';
import { RagTurn } from './turn.js';
import { RagUploads } from './uploads.js';
import { RagViewer } from './viewer.js';

for (const [tag, element] of /** @type {[string, CustomElementConstructor][]} */ ([
  ['rag-elapsed', RagElapsed],
  ['rag-uploads', RagUploads],
  ['rag-composer', RagComposer],
  ['rag-evidence', RagEvidence],
  ['rag-support', RagSupport],
  ['rag-turn', RagTurn],
  ['rag-intro', RagIntro],
  ['rag-page', RagPage],
  ['rag-page-text', RagPageText],
  ['rag-page-view', RagPageView],
  ['rag-strip', RagStrip],
  ['rag-finder', RagFinder],
  ['rag-sections', RagSections],
  ['rag-viewer', RagViewer],
  ['rag-status', RagStatus],
  ['rag-library', RagLibrary],
  ['rag-conversation', RagConversation],
  ['rag-source', RagSource],
  ['rag-places', RagPlaces],
  ['rag-announcer', RagAnnouncer],
  ['rag-toast', RagToast],
])) {
  customElements.define(tag, element);
}
