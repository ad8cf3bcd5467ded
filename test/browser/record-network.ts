// A HAR as a browser's developer tools make it, from Chromium's own network events.
import type { CDPSession, Page } from 'playwright'

type Fields = Readonly<Record<string, string>>

interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Fields
  readonly postData?: string
}

interface Recorded {
  readonly request: Sent
  readonly startedAt: number
  readonly began: number
  response?: { readonly status: number; readonly headers: Fields; readonly mimeType: string }
  ended?: number
}

export async function recordNetwork(page: Page) {
  const session = await page.context().newCDPSession(page)
  const recorded = new Map<string, Recorded>()
  session.on('Network.requestWillBeSent', ({ requestId, request, wallTime, timestamp }) => {
    recorded.set(requestId, { request, startedAt: wallTime * 1000, began: timestamp })
  })
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const own = recorded.get(requestId)
    if (own) own.response = response
  })
  session.on('Network.loadingFinished', ({ requestId, timestamp }) => {
    const own = recorded.get(requestId)
    if (own) own.ended = timestamp
  })
  await session.send('Network.enable')

  return {
    /** Whether every request has its whole response. */
    isComplete: () => [...recorded.values()].every(({ ended }) => ended !== undefined),
    async har() {
      const entries: object[] = []
      for (const [id, own] of recorded) entries.push(await createEntry(session, id, own))
      return { log: { version: '1.2', creator: { name: 'Chromium', version: '1' }, entries } }
    },
  }
}

async function createEntry(session: CDPSession, requestId: string, own: Recorded) {
  const { request, response, startedAt, began, ended = began } = own
  const { method, url, postData } = request
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: (ended - began) * 1000,
    request: {
      method,
      url,
      httpVersion: 'http/1.1',
      headers: listFields(request.headers),
      ...(postData === undefined ? {} : { postData: { text: postData } }),
    },
    response: {
      status: response?.status ?? 0,
      headers: listFields(response?.headers ?? {}),
      content: await readContent(session, requestId, response?.mimeType),
    },
  }
}

/** A preflight has no body that could be read. */
async function readContent(session: CDPSession, requestId: string, mimeType = '') {
  try {
    const read = await session.send('Network.getResponseBody', { requestId })
    const { body, base64Encoded } = read
    const encoding = base64Encoded ? { encoding: 'base64' } : {}
    return { size: body.length, mimeType, text: body, ...encoding }
  } catch {
    return { size: 0, mimeType }
  }
}

function listFields(fields: Fields) {
  return Object.entries(fields).map(([name, value]) => ({ name, value }))
}
