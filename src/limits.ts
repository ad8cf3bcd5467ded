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
/** What the animals of a mock may take, in all worlds together; beyond it createPet and loading get 507. Node's heap has 2 to 4 GiB. */
export const MAX_ANIMALS_BYTES = 1 * GIB
/** The same with `--persist`: a file must fit into a text, which has 512 MiB of characters at most, to be written and to be read again. */
export const MAX_PERSISTED_BYTES = 256 * MIB
/** Of an API key or a control token, wherever it comes from. */
export const MAX_KEY_CHARACTERS = 4_096
/** Of a list in a setting: API keys, kinds of surprises. */
export const MAX_LIST_ITEMS = 1_000
export const MAX_FAULTS = 1_000
export const MAX_FAULT_ID_CHARACTERS = 100
/** A fault's Retry-After: a year. */
export const MAX_RETRY_AFTER_SECONDS = 31_536_000
export const MAX_SANDBOXES = 256

// The request log
export const MAX_LOG_ENTRIES = 1_000
export const MAX_LOG_BYTES = 16 * MIB
/** All worlds of one mock together. */
export const MAX_LOGS_BYTES = 64 * MIB
/** Longer bodies are cut in the request log. */
export const MAX_LOGGED_BODY_CHARACTERS = 16 * KIB
/** In the file of `exec --har`, of the whole run. */
export const MAX_RECORDED_REQUESTS = 5_000
/** Of the whole file; it has to fit into a text. */
export const MAX_HAR_CHARACTERS = 256 * MIB
export const MAX_NOTES = 20
export const MAX_NOTE_CHARACTERS = 300
/** Shorter API keys are hidden where a key is sent, but not searched for elsewhere: a key `k` is in every text. */
export const MIN_SEARCHED_CHARACTERS = 8

// Messages
/** A message names this many problems, then "and more". */
export const MAX_PROBLEMS = 100

// Scenario documents
/** A document sent as JSON to the control API; a file on the command line may be larger. */
export const MAX_DOCUMENT_BYTES = 16 * MIB
/** YAML text sent to the control API: it may take a hundred times as long to read as JSON. The command line sends JSON. */
export const MAX_YAML_TEXT_BYTES = 64 * KIB
export const MAX_DOCUMENT_DEPTH = 32
/** Keys of one object in a JSON document; the schema has no object with a hundredth of them. */
export const MAX_DOCUMENT_KEYS = 10_000
/** Animals that one document or command may generate. */
export const MAX_GENERATED_PETS = 10_000_000
/** Animals that `generate` prints: more do not fit into a text. */
export const MAX_PRINTED_PETS = 1_000_000
/** Animals that one control request may list or generate: checking and storing them takes about a second. */
export const MAX_PETS_PER_REQUEST = 100_000
/** Values in the JSON of one control request. */
export const MAX_VALUES_PER_REQUEST = 1_000_000

// The control API
/** Animals on one page of `pets.list`. */
export const MAX_LISTED_PETS = 1_000
export const MAX_EVENT_STREAMS = 64
/** Events that listeners cause while events are delivered. */
export const MAX_CAUSED_EVENTS = 10_000
/** What a slow reader of events may leave unread before it is cut off. */
export const MAX_EVENT_BACKLOG_BYTES = 4 * MIB
/** A control token that is given rather than generated. */
export const MIN_TOKEN_CHARACTERS = 16

// Connections
/** What arriving bodies, waiting requests and unread responses may take together; beyond it an arriving body gets 503, a response is closed. */
export const MAX_BODIES_BYTES = 256 * MIB
export const MAX_HEADER_BYTES = 16 * KIB
export const HEADERS_TIMEOUT_MS = 5_000
export const REQUEST_TIMEOUT_MS = 10_000
/** Responses of one connection that are delayed, or that wait for a delayed one; beyond it the server stops reading, and one more in the same packet is a 503. */
export const MAX_WAITING_RESPONSES = 32
/** What a request counts there while its body arrives or its response waits: head, target and objects, about. */
export const WAITING_REQUEST_BYTES = 8 * KIB
/** How long a client may go on sending after a response that closes the connection, so that it gets to read it. */
export const LINGER_MS = 500
/** A response that the client does not read is given up after this time. */
export const SEND_TIMEOUT_MS = 30_000
/** How long a mock that stops waits for running requests. */
export const STOP_TIMEOUT_MS = 2_000
