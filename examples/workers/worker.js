export { default, Sandbox } from 'animal-store-mock/worker'
