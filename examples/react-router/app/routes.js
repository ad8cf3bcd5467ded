import { route } from '@react-router/dev/routes'

export default [route('pets', 'routes/pets.jsx'), route('v1/*', 'routes/v1.js')]
