import { animalStore } from 'animal-store-mock/vite'

export default { plugins: [animalStore()] }
