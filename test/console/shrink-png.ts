// Makes a screenshot small: its 256 commonest colours, compressed well. A page of text has few colours besides smoothed edges.
import { deflateSync } from 'node:zlib'
import type { Browser } from 'playwright'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export async function shrinkPng(png: Buffer, browser: Browser): Promise<Buffer> {
  const page = await browser.newPage()
  // tsx names functions with a helper that the page does not have.
  await page.evaluate('globalThis.__name = (value) => value')
  const { width, height, palette, indexes } = await page.evaluate(reduceColours, png.toString('base64'))
  await page.close()
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a pixel, each an index of the palette.
  header.set([8, 3, 0, 0, 0], 8)
  const pixels = Buffer.from(indexes, 'base64')
  const lines = Array.from({ length: height }, (_, y) => Buffer.concat([Buffer.of(0), pixels.subarray(y * width, (y + 1) * width)]))
  const data = deflateSync(Buffer.concat(lines), { level: 9 })
  return Buffer.concat([
    SIGNATURE,
    renderChunk('IHDR', header),
    renderChunk('PLTE', Buffer.from(palette)),
    renderChunk('IDAT', data),
    renderChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Runs in a page, which can read a PNG. */
async function reduceColours(base64: string) {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob())
  const { width, height } = bitmap
  const context = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D
  context.drawImage(bitmap, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  const colours = Uint32Array.from({ length: width * height }, (_, pixel) => {
    const [red = 0, green = 0, blue = 0] = data.subarray(pixel * 4, pixel * 4 + 3)
    return (red << 16) | (green << 8) | blue
  })
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const kept = [...counts.keys()].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0)).slice(0, 256)
  const split = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255]
  const distance = (one: number, other: number) =>
    split(one).reduce((sum, part, index) => sum + (part - (split(other)[index] ?? 0)) ** 2, 0)
  const nearest = new Map<number, number>()
  for (const colour of counts.keys()) {
    let best = 0
    for (const [index, candidate] of kept.entries()) if (distance(colour, candidate) < distance(colour, kept[best] as number)) best = index
    nearest.set(colour, best)
  }
  let indexes = ''
  for (const colour of colours) indexes += String.fromCharCode(nearest.get(colour) ?? 0)
  return { width, height, palette: kept.flatMap(split), indexes: btoa(indexes) }
}

function renderChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(checksum(body), body.length + 4)
  return chunk
}

/** CRC-32, which Node has only from version 22 on. */
function checksum(data: Buffer): number {
  let crc = 0xffffffff
  for (const byte of data) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
