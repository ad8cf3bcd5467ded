// A handful of animals for specs that care which ones there are.
import type { Pet } from '../../src/index.ts'

export const rex: Pet = { id: 1, name: 'Rex', categoryId: 1, status: 'available' }
export const misty: Pet = { id: 2, name: 'Misty', categoryId: 2, status: 'sold' }
export const coco: Pet = { id: 3, name: 'Coco', categoryId: 3 }
export const bello: Pet = { id: 4, name: 'Bello', categoryId: 1, status: 'available' }
export const animals: readonly Pet[] = [rex, misty, coco, bello]

/** This many animals, ids from 1. */
export function herd(count: number): Pet[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Animal ${index + 1}`,
    categoryId: 1,
  }))
}
