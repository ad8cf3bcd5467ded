// .storybook/preview.ts
import { storeLoader } from 'animal-store-mock/storybook'

// In a story: parameters: { store: { scenario: 'sold-out' } }
export const loaders = [storeLoader({ baseUrl: 'https://api.example.com/v1' })]
