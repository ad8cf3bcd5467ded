// The three operations as the requests that every server in a comparison gets.

export type OperationName = 'listPets' | 'getPet' | 'createPet'

export interface BenchRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const key = { Authorization: 'Bearer bench-key' }

export const operations: Readonly<Record<OperationName, BenchRequest>> = {
  listPets: { method: 'GET', target: '/v1/pets?limit=20', headers: key },
  getPet: { method: 'GET', target: '/v1/pets/7', headers: key },
  createPet: {
    method: 'POST',
    target: '/v1/pets',
    headers: { ...key, 'Content-Type': 'application/json' },
    body: '{"name":"Rex the Beagle","categoryId":1,"status":"available"}',
  },
}

export const operationNames = Object.keys(operations) as OperationName[]

/** The request as bytes on the wire, ready to be sent any number of times. */
export function toWire({ method, target, headers, body }: BenchRequest, port: number): string {
  const fields = Object.entries({
    Host: `127.0.0.1:${port}`,
    ...headers,
    ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
  })
  return `${method} ${target} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`
}
