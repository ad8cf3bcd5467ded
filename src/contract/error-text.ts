// The body of an error response, of the service and of the control API.
import type { AssumptionChoices } from './generated/contract.ts'
import type { Problem } from './problem.ts'

/** RFC 9110 and its registry. The assumption `error-codes` spells them in three ways. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  506: 'Variant Also Negotiates',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
  510: 'Not Extended',
  511: 'Network Authentication Required',
}

/** A status without a registered name, such as 418, goes by its class (RFC 9110 §15). */
export function toReason(status: number) {
  return REASONS[status] ?? (status < 500 ? 'Client Error' : 'Server Error')
}

type Spelling = AssumptionChoices['error-codes']

/** Only the control API adds problems: the contract has no such field. */
export function toErrorText(
  status: number,
  message: string,
  spelling: Spelling,
  problems?: readonly Problem[],
) {
  const code = spellCode(toReason(status), spelling)
  return JSON.stringify({ code, message, status, problems })
}

function spellCode(reason: string, spelling: Spelling): string {
  if (spelling === 'names') return reason.replaceAll(' ', '')
  const snake = reason.replaceAll(' ', '_')
  return spelling === 'snake' ? snake.toLowerCase() : snake.toUpperCase()
}
