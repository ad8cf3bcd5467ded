import { handlers } from 'animal-store-mock/msw'
import { setupWorker } from 'msw/browser'

await setupWorker(...handlers).start()
