// Every limit of the mock that someone can meet: the code enforces it, and the docs list it. How
// much a message shows, and the sizes of caches, are where they are used. Characters are UTF-16
// code units.

// Literals, since the bundler of the console does not fold powers.
const KIB = 1_024
const MIB = 1_048_576
const GIB = 1_073_741_824

// Requests to the service
/** The body of a request, decompressed; a larger one gets 413, and the connection closes. */
export const MAX_BODY_BYTES = 1 * MIB
/** The target of a request; a longer one gets 414. */
export const MAX_TARGET_BYTES = 8 * KIB
/** Nesting in JSON, and in a YAML scenario; deeper gets 400. */
export const MAX_JSON_DEPTH = 64
/** A key in that JSON; a longer one gets 400. */
export const MAX_JSON_KEY_CHARACTERS = 16_383
/**
 * The delay of a fault, `Prefer` or `latency`, or a matcher's timeout; longer is refused, and
 * ignored in `Prefer`.
 */
export const MAX_DELAY_MS = 60_000
/** How long a fault holds a response that you do not release, unless it says otherwise. */
export const HOLD_MS = 60_000
/** The longest that a fault may hold a response. */
export const MAX_HOLD_MS = 60 * 60_000

// Worlds
/** The animals of a mock, in all sandboxes; beyond it, createPet and loading get 507. */
export const MAX_PETS_BYTES = 1 * GIB
/** The animals of a mock with `--persist`, whose file must fit into a JavaScript text. */
export const MAX_PERSISTED_BYTES = 256 * MIB
/** What the timeline keeps of earlier states; beyond it, the oldest rows give up theirs. */
export const MAX_PAST_BYTES = 256 * MIB
/** An API key or control token; a longer one is rejected, or gets 401. */
export const MAX_KEY_CHARACTERS = 4_096
/** The items of a list in a setting: API keys, kinds of surprises. */
export const MAX_LIST_ITEMS = 1_000
/** The faults of a state. */
export const MAX_FAULTS = 1_000
/** The `id` of a fault, and the name of a header field in its `response`. */
export const MAX_FAULT_NAME_CHARACTERS = 100
/** The body in the `response` of a fault, as it is sent. */
export const MAX_FAULT_BODY_BYTES = 1 * MIB
/** Nesting in that body. It leaves room for what surrounds it in a saved state. */
export const MAX_FAULT_BODY_DEPTH = 48
/** The query, the header fields or the body that a fault or `verify` expects, as JSON. */
export const MAX_CONDITION_CHARACTERS = 16_384
/** The `retryAfter` of a fault: a year. */
export const MAX_RETRY_AFTER_SECONDS = 31_536_000
/** Sandboxes of a mock; beyond that, the longest idle one is removed. Workers have no limit. */
export const MAX_SANDBOXES = 256

// The request log
/**
 * Logged requests of a state (the oldest are forgotten), rows in the console, the usual limit for
 * all sandboxes.
 */
export const MAX_LOG_ROWS = 1_000
/** The most logged requests that the option `requestLog` can ask for. */
export const MOST_LOG_ROWS = 100_000
/** Changes in the timeline of a state; the oldest are forgotten. */
export const MAX_CHANGES = 10_000
/** The rows that one what if goes through with `onward`. */
export const MAX_ONWARD_ROWS = 1_000
/** The timeline of a state; the oldest rows are forgotten. */
export const MAX_LOG_BYTES = 16 * MIB
/** The combined timelines of all sandboxes. */
export const MAX_LOGS_BYTES = 64 * MIB
/** A logged body; a longer one is cut. */
export const MAX_LOGGED_BODY_CHARACTERS = 16 * KIB
/** A recording, which holds the timeline and every animal. */
export const MAX_RECORDING_CHARACTERS = 256 * MIB
/** A link to a recording; what it unpacks to may have 16 MiB. */
export const MAX_LINK_CHARACTERS = 1 * MIB
/** A link that some chats and trackers cut: the console then offers the file, or the last rows. */
export const LONG_LINK_CHARACTERS = 30_000
/** A link on a terminal; instead of a longer one, the command line has a file. */
export const MAX_PRINTED_LINK_CHARACTERS = 2_000
/** The ids of rows that a recording is asked for. */
export const MAX_ROW_CHOICE_CHARACTERS = 100_000
/** The notes of a logged request. */
export const MAX_NOTES = 20
/** A logged note or error; a longer one is cut. */
export const MAX_NOTE_CHARACTERS = 300

// Messages
/** The problems that a message names, before "and more". */
export const MAX_PROBLEMS = 100

// Scenario documents
/**
 * A scenario or recording sent to the control API (413) or MCP server; `--scenario` and `open` read
 * larger ones.
 */
export const MAX_DOCUMENT_BYTES = 16 * MIB
/**
 * A scenario sent as YAML to the control API (413): reading takes 100 times as long. The command
 * line sends JSON.
 */
export const MAX_YAML_TEXT_BYTES = 16 * KIB
/** The name of a scenario. */
export const MAX_SCENARIO_NAME_CHARACTERS = 200
/** The name of a file that is sent to the control API. */
export const MAX_FILE_NAME_CHARACTERS = 255
/**
 * The keys of one object in a JSON scenario, in the `response` of a fault, and in `calls` of
 * `surprise`.
 */
export const MAX_DOCUMENT_KEYS = 10_000
/** Animals that one scenario or command may generate. */
export const MAX_GENERATED_PETS = 10_000_000
/** The weight of a status in `generate`, so that the sum of all is a number. */
export const MAX_STATUS_WEIGHT = 1_000_000_000
/** Animals that `generate` prints. */
export const MAX_PRINTED_PETS = 1_000_000
/** Animals that one control request over HTTP may load or generate; that takes about a second. */
export const MAX_PETS_PER_REQUEST = 100_000
/** Values in the JSON of one control request. */
export const MAX_VALUES_PER_REQUEST = 1_000_000

// The real service
/** A response to `calibrate`, once it is decompressed; a longer one could not be checked. */
export const MAX_CALIBRATED_BODY_BYTES = 4 * MIB
/** A HAR file for `calibrate`. */
export const MAX_HAR_CHARACTERS = 256 * MIB
/** The entries of a HAR file. */
export const MAX_HAR_ENTRIES = 100_000

// The control API
/** Animals on one page of `pets.list`. */
export const MAX_LISTED_PETS = 1_000
/**
 * The default `limit` of `pets.list`, and over HTTP of `requests` and `timeline`; `X-Mock-Total`
 * counts all rows.
 */
export const DEFAULT_LIMIT = 100
/** A message to the MCP server, without the arguments of a tool. */
export const MAX_MESSAGE_CHARACTERS = 20_000
/** Event streams at once; one more gets 503. */
export const MAX_EVENT_STREAMS = 64
/** Unread events of a stream; beyond it, the stream is closed. */
export const MAX_EVENT_BACKLOG_BYTES = 4 * MIB
/** The minimum length of a control token that you choose. */
export const MIN_TOKEN_CHARACTERS = 16

// Connections
/**
 * Arriving bodies, waiting requests, delayed and unread responses. Beyond it, bodies get 503,
 * others are closed.
 */
export const MAX_BODIES_BYTES = 256 * MIB
/** What each waiting request adds to that sum, as an estimate. */
export const WAITING_REQUEST_BYTES = 8 * KIB
/** The target, header names and values of a request; longer gets 431. */
export const MAX_HEADER_BYTES = 16 * KIB
/** The time to send the headers; a late request gets 408. */
export const HEADERS_TIMEOUT_MS = 5_000
/** The time to send the whole request, by default; a late one gets 408. */
export const REQUEST_TIMEOUT_MS = 10_000
/**
 * Requests of one connection that wait for the responses before theirs; beyond it, the connection
 * is closed, and the request log says so.
 */
export const MAX_WAITING_REQUESTS = 32
/** How long a client may go on sending after an error, so that it can read the response. */
export const LINGER_MS = 500
/**
 * How long a client may leave a response unread; the server closes it 30 to 60 s after it began.
 */
export const SEND_TIMEOUT_MS = 30_000
/** How long a mock that stops waits for running requests. */
export const STOP_TIMEOUT_MS = 2_000
