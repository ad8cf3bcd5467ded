// Every limit of the mock, in one place: what the code enforces and what the docs list. Imports nothing, so that every floor can use it.
// Sizes are in bytes and times in milliseconds, as the names say; characters are UTF-16 code units.

const KIB = 2 ** 10
const MIB = 2 ** 20
const GIB = 2 ** 30

// Requests to the service
/** Larger bodies get 413. */
export const MAX_BODY_BYTES = 1 * MIB
/** Longer request targets get 414. */
export const MAX_TARGET_BYTES = 8 * KIB
/** Deeper JSON bodies get 400. */
export const MAX_JSON_DEPTH = 64
/** The longest delay: of a fault, of `Prefer`, and of `latency`. */
export const MAX_DELAY_MS = 60_000

// Worlds
/** What the animals of one world may take; beyond it createPet and loading get 507. */
export const MAX_WORLD_BYTES = 1 * GIB
/** The same for all worlds of one mock together, or the limit of one world where that is larger: Node's heap has 2 to 4 GiB. */
export const MAX_WORLDS_BYTES = 1 * GIB
/** Each world makes a set of them. */
export const MAX_API_KEYS = 10_000
export const MAX_FAULTS = 1_000
export const MAX_FAULT_ID_CHARACTERS = 100
/** A fault's Retry-After: a year. */
export const MAX_RETRY_AFTER_SECONDS = 31_536_000
export const MAX_SANDBOXES = 256

// The journal
export const MAX_JOURNAL_ENTRIES = 1_000
export const MAX_JOURNAL_BYTES = 16 * MIB
/** All worlds of one mock together. */
export const MAX_JOURNALS_BYTES = 64 * MIB
/** Longer bodies are cut in the journal. */
export const MAX_JOURNAL_BODY_CHARACTERS = 16 * KIB
/** Headers of a request beyond this are left out of the journal, names and values together. */
export const MAX_JOURNAL_HEADER_CHARACTERS = 16 * KIB
export const MAX_NOTES = 20
export const MAX_NOTE_CHARACTERS = 300
/** Shorter API keys are hidden where a key is sent, but not searched for elsewhere: a key `k` is in every text. */
export const MIN_SEARCHED_CHARACTERS = 8
/** API keys that are searched for in what the journal shows. */
export const MAX_SEARCHED_SECRETS = 100

// Coverage
/** Faults of one world that coverage still expects a retry of; of further ones it notes none. */
export const MAX_AWAITED_RETRIES = 1_000

// Messages
/** A message names this many problems, then "and N more". */
export const MAX_PROBLEMS = 100
/** Beyond this many problems the rest of a value is not looked at: "and at least N more". */
export const MAX_COUNTED_PROBLEMS = 100_000

// Scenario documents
/** A scenario file, or a body sent to the control API. */
export const MAX_DOCUMENT_BYTES = 64 * MIB
/** YAML text sent to the control API. */
export const MAX_YAML_TEXT_BYTES = 5 * MIB
/** How long reading it may take, in a thread: others that send such a text wait for it. */
export const MAX_YAML_TEXT_MS = 30_000
export const MAX_DOCUMENT_DEPTH = 32
/** The longest key of an object in a YAML document; no field of a scenario comes near it. */
export const MAX_DOCUMENT_KEY_CHARACTERS = 256
/** Keys of one object in a JSON document; the schema has no object with a hundredth of them. */
export const MAX_DOCUMENT_KEYS = 10_000
/** Objects and lists in a JSON document: more than the animals that it has room for. */
export const MAX_DOCUMENT_PARTS = 2 ** 21
/** An integer in a YAML document; reading a long one takes quadratic time. */
export const MAX_DOCUMENT_INTEGER_CHARACTERS = 100
/** Animals that one document or command may generate. */
export const MAX_GENERATED_PETS = 10_000_000
/** Animals that `generate` prints: as many as a scenario document has room for. */
export const MAX_PRINTED_PETS = 500_000
/** Animals that one control request may generate: they take some seconds to make. */
export const MAX_GENERATED_PETS_PER_REQUEST = 100_000

// The control API
/** Animals on one page of `pets.list`. */
export const MAX_LISTED_PETS = 1_000
export const MAX_EVENT_STREAMS = 64
/** Events that listeners cause while one event is delivered. */
export const MAX_NESTED_EVENTS = 10_000
/** What a slow reader of events may leave unread before it is cut off. */
export const MAX_EVENT_BACKLOG_BYTES = 4 * MIB
/** A control token that is given rather than generated. */
export const MIN_TOKEN_CHARACTERS = 16

// Connections
/** What request bodies that are still arriving may take together; beyond it 503. */
export const MAX_BODIES_BYTES = 256 * MIB
export const MAX_HEADER_BYTES = 16 * KIB
export const HEADERS_TIMEOUT_MS = 5_000
export const REQUEST_TIMEOUT_MS = 10_000
/** Responses of one connection that are delayed, or that wait for a delayed one; beyond it the server stops reading from the connection. */
export const MAX_WAITING_RESPONSES = 32
/** How long a client may go on sending after a response that closes the connection, so that it gets to read it. */
export const LINGER_MS = 500
/** A response that nobody reads is given up after this time. */
export const SEND_TIMEOUT_MS = 30_000
/** How long a mock that stops waits for running requests. */
export const STOP_TIMEOUT_MS = 2_000
