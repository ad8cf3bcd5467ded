// MSW behind @mswjs/http-middleware: handlers as a team would write them by hand, served by
// Express.

import { readFileSync } from 'node:fs'
import { createMiddleware } from '@mswjs/http-middleware'
import express from 'express'
import { HttpResponse, http } from 'msw'

const pets = JSON.parse(readFileSync(new URL('./pets.json', import.meta.url), 'utf8'))
const byId = new Map(pets.map((pet) => [String(pet.id), pet]))
const statuses = ['available', 'pending', 'sold']
const codes = { 400: 'BadRequest', 401: 'Unauthorized', 404: 'NotFound' }
const refuse = (status, message) =>
  HttpResponse.json({ code: codes[status], message, status }, { status })
const guarded = (answer) => (info) =>
  /^bearer +(?!invalid$)\S+$/i.test(info.request.headers.get('authorization') ?? '')
    ? answer(info)
    : refuse(401, 'An API key is required')

const handlers = [
  http.get(
    '/v1/pets',
    guarded(({ request }) => {
      const query = new URL(request.url).searchParams
      const limit = Number(query.get('limit') ?? 20)
      const status = query.get('status')
      if (!Number.isInteger(limit) || limit < 1 || limit > 100)
        return refuse(400, 'limit must be 1 to 100')
      if (status !== null && !statuses.includes(status)) return refuse(400, 'unknown status')
      return HttpResponse.json(
        (status === null ? pets : pets.filter((pet) => pet.status === status)).slice(0, limit),
      )
    }),
  ),
  http.post(
    '/v1/pets',
    guarded(async ({ request }) => {
      const body = await request.json().catch(() => null)
      if (typeof body?.name !== 'string' || !Number.isInteger(body.categoryId))
        return refuse(400, 'name and categoryId are required')
      if (body.status !== undefined && !statuses.includes(body.status))
        return refuse(400, 'unknown status')
      const { name, categoryId, status } = body
      const pet = { id: pets.length + 1, name, categoryId, status }
      pets.push(pet)
      byId.set(String(pet.id), pet)
      return HttpResponse.json(pet, { status: 201 })
    }),
  ),
  http.get(
    '/v1/pets/:petId',
    guarded(({ params }) => {
      const pet = byId.get(params.petId)
      return pet ? HttpResponse.json(pet) : refuse(404, 'There is no such animal')
    }),
  ),
]

const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.use(createMiddleware(...handlers))
app.listen(Number(process.argv[2]), '127.0.0.1')
