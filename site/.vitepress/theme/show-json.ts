/** A JSON body, an animal a line; anything else as it is. */
export function showJson(body: string): string {
  if (!body.startsWith('[{')) return body
  return body.replaceAll('},{', '},\n {')
}
