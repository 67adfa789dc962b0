/**
 * The shapes that the HTTP API speaks. Types only; no page loads this module.
 *
 * @typedef {{code: string, message: string, fix: string, said?: string}} Problem   `said`: by the program, in English and more exactly
 *
 * @typedef {{provider: string, model: string | null, local: boolean}} Engine
 *
 * @typedef {{provider: string, address: string | null, local: boolean}} Place
 *
 * @typedef {object} Reindexing
 * @property {'none' | 'running' | 'waiting' | 'done'} state
 * @property {number} done   passages
 * @property {number} total
 * @property {string} message
 * @property {string} made_with
 * @property {string} wanted
 * @property {boolean} by_words_only
 *
 * @typedef {object} Health
 * @property {string} status
 * @property {string} version
 * @property {number} documents
 * @property {number} chunks
 * @property {Engine & {state: 'ready' | 'loading' | 'missing' | 'unreachable' | null}} chat
 * @property {Engine} embedding
 * @property {string} store
 * @property {Reindexing} [reindex]
 * @property {Place} database
 * @property {Place} index
 * @property {Place} sources
 * @property {boolean} leaves_machine
 * @property {AuditMode} [jev_mode]   how statements are checked by a second model
 * @property {{model: string | null, local: boolean}} [auditor]
 * @property {boolean} [reachable_from_other_machines]
 * @property {{max_upload_bytes: number, max_question_chars: number, max_document_ids: number}} limits
 * @property {string[]} accepts
 *
 * @typedef {object} RagDocument
 * @property {string} document_id
 * @property {string} name
 * @property {string} media_type
 * @property {string} source_sha256
 * @property {number} size_bytes
 * @property {number} page_count
 * @property {number} chunk_count
 * @property {string | null} title
 * @property {string} added_at
 * @property {string[]} tags
 *
 * @typedef {'created' | 'unchanged' | 'replaced' | 'duplicate'} Outcome
 *
 * @typedef {'queued' | 'extracting' | 'embedding' | 'committing' | 'searchable' | 'failed' | 'cancelled'} JobState
 *
 * @typedef {object} Job
 * @property {string} job_id
 * @property {string} name
 * @property {number} size_bytes
 * @property {JobState} state
 * @property {string} created_at
 * @property {string} updated_at
 * @property {number} done   pages while extracting, passages while embedding
 * @property {number} total   0: not known yet
 * @property {Outcome | null} outcome
 * @property {string | null} document_id
 * @property {Problem | null} error
 * @property {boolean} can_retry   its file is kept
 * @property {number} elapsed_ms   since it was sent, until now or until it ended
 *
 * @typedef {'text' | 'plain' | 'layout' | 'ocr' | 'mixed' | 'failed'} PagePath
 * @typedef {'diagram' | 'failed' | 'garbled' | 'hidden-text' | 'low-coverage' | 'no-text' | 'ocr' | 'rotated' | 'slow' | 'table' | 'unread-picture'} PageFlag
 *
 * @typedef {object} PageReading
 * @property {number} page_number
 * @property {PagePath} path
 * @property {PageFlag[]} flags
 * @property {number} words
 * @property {number | null} coverage   share of the words of its text layer that are in the text, 0 to 1
 * @property {number | null} ocr_confidence   0 to 1
 *
 * @typedef {{document: RagDocument, pages: PageReading[], words: number}} Report
 *
 * @typedef {{start: number, end: number}} Span   code points of the passage, half open
 * @typedef {[number, number, number, number]} Box   x0, y0, x1, y1 in points, origin at the top left
 *
 * @typedef {object} Citation
 * @property {number} id
 * @property {string} chunk_id
 * @property {string} document_id
 * @property {string} source
 * @property {number} page
 * @property {string | null} page_label
 * @property {number} page_width
 * @property {number} page_height
 * @property {string} section
 * @property {string} text
 * @property {string} lead   of another place, such as the header of the table; not cited
 * @property {number} page_start   code points of the page's text
 * @property {number} page_end
 * @property {string} quote
 * @property {Span[]} spans
 * @property {Box[]} rectangles
 * @property {{dense: number | null, lexical: number | null}} ranks
 * @property {number} rrf
 * @property {number | null} cosine
 * @property {number | null} bm25
 * @property {string} media_type
 *
 * @typedef {object} Passage   found for a question
 * @property {string} chunk_id
 * @property {string} document_id
 * @property {string} source
 * @property {string} media_type
 * @property {number} page
 * @property {string} section
 * @property {string} text
 * @property {string} lead
 * @property {number} page_start
 * @property {number} page_end
 * @property {{dense: number | null, lexical: number | null}} ranks
 * @property {number} rrf
 * @property {number | null} cosine
 * @property {number | null} bm25
 *
 * @typedef {'first' | 'adds' | 'covers' | 'similar' | 'duplicate' | 'off-topic' | 'lacks-phrase'} Verdict   the first four are read
 *
 * @typedef {Passage & {rerank: number | null, kept: boolean, verdict: Verdict, duplicate_of: string | null}} LedgerRow
 *
 * @typedef {object} Ledger   all that was found for one part of a question, best first
 * @property {string} part
 * @property {string} context   what came before it, where it points back to that
 * @property {boolean} exhaustive   it asks for everything of a kind
 * @property {string[]} phrases   that a passage must hold word for word
 * @property {{dense: number, lexical: number, reason: string}} weights
 * @property {LedgerRow[]} rows
 *
 * @typedef {'understand' | 'search' | 'write' | 'cite' | 'audit'} Step
 *
 * @typedef {object} Stage   how far an answer is
 * @property {Step} stage
 * @property {number} attempt   a higher one makes void what was told before
 * @property {string | null} writer
 * @property {'ready' | 'loading' | 'missing' | 'unreachable' | null} model_state
 *
 * @typedef {'off' | 'observe' | 'repair'} AuditMode
 * @typedef {'supported' | 'contradicted' | 'insufficient'} Relation
 *
 * @typedef {object} AuditCheck   a statement held against some passages
 * @property {{citation: number | null, chunk_id: string, sha256: string}[]} excerpts
 * @property {'completed' | 'unavailable'} status
 * @property {'keep' | 'withhold' | 'review' | null} action   what the policy suggests
 * @property {{relation: Relation, probabilities: Record<Relation, number>} | null} assessment
 * @property {string} requested_model
 * @property {string | null} returned_model
 * @property {number | null} request
 * @property {string | null} error   why it is unavailable
 *
 * @typedef {object} Repair
 * @property {boolean} succeeded
 * @property {AuditCheck} original
 * @property {AuditCheck[]} attempts
 *
 * @typedef {AuditCheck & {claim: string, part: number, citations: number[], threshold: number, repair: Repair | null}} Audit
 *
 * @typedef {'number' | 'date' | 'unit' | 'entity' | 'negation' | 'hedge' | 'overlap'} FlagKind
 * @typedef {{claim: string, citations: number[], kind: FlagKind, surface: string, message: string}} Flag
 *
 * @typedef {{text: string, citations: Citation[]}} Claim   a statement that has passed its checks
 *
 * @typedef {object} Conversation
 * @property {string} conversation_id
 * @property {string} title   empty until the first answer
 * @property {string} created_at
 * @property {string} updated_at
 * @property {number} turn_count
 *
 * @typedef {Answer & {number: number, question: string, asked_at: string, document_ids: string[] | null, gone_documents: string[]}} KeptTurn
 * @typedef {Conversation & {turns: KeptTurn[]}} WholeConversation
 *
 * @typedef {object} Answer
 * @property {string} answer
 * @property {Citation[]} citations
 * @property {boolean} refused
 * @property {number} still_reading   files on their way in when the documents were searched
 * @property {string[]} unsupported_parts
 * @property {string} strategy
 * @property {Record<string, number>} timings_ms
 * @property {string} writer
 * @property {string[]} notes   how it came about, where that is not as usual
 * @property {Ledger[]} ledger   one for each part of the question
 * @property {Flag[]} [flags]   doubts that rules have; no verdict
 * @property {AuditMode} [audit_mode]
 * @property {Audit[]} [audits]   one for each statement, where they were checked
 * @property {{requests: number, input_tokens: number, output_tokens: number}} [audit_usage]
 * @property {number} [turn]   its number in its conversation, from 1
 * @property {string} [understood_as]   what was searched for, where the question needed the ones before it
 *
 * @typedef {object} Section
 * @property {string} section_id   such as 1.2.3; 0 is what stands before the first heading
 * @property {string} title
 * @property {number} level   from 1; 0 for section 0
 * @property {string[]} path
 * @property {number} page_number
 *
 * @typedef {object} FoundPlace
 * @property {number} page_number
 * @property {string | null} label
 * @property {number} start   code points of the page's text
 * @property {number} end
 * @property {string} before
 * @property {string} match
 * @property {string} after
 * @property {Box[]} rectangles
 *
 * @typedef {{total: number, places: FoundPlace[]}} Found   the places are the first of so many
 *
 * @typedef {object} PageText
 * @property {number} page_number
 * @property {string | null} label
 * @property {string} text
 * @property {number} width_pt
 * @property {number} height_pt
 * @property {Box[]} rectangles   of the stretch that was asked for
 */

export {};
