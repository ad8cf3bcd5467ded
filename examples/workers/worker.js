export { default, World } from 'animal-store-mock/worker'
