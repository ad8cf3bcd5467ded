// The table of operations: one for each operationId of the contract, and the compiler counts them.
import type { OperationId } from '../../contract/generated/contract.ts'
import { createPet } from './create-pet.ts'
import { getPet } from './get-pet.ts'
import { listPets } from './list-pets.ts'
import type { Operation } from './operation.ts'

export const operations: { readonly [Id in OperationId]: Operation<Id> } = {
  listPets,
  createPet,
  getPet,
}
