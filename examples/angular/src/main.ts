import { HttpClient, provideHttpClient, withFetch } from '@angular/common/http'
import { Component, inject, provideZonelessChangeDetection, signal } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'

type Pet = { id: number; name: string }

@Component({ selector: 'app-root', template: '<ul>@for (pet of pets(); track pet.id) {<li>{{ pet.name }}</li>}</ul>' })
class App {
  readonly pets = signal<Pet[]>([])

  constructor() {
    const headers = { authorization: 'Bearer any-key' }
    inject(HttpClient)
      .get<Pet[]>('/v1/pets', { headers })
      .subscribe((pets) => this.pets.set(pets))
  }
}

bootstrapApplication(App, { providers: [provideZonelessChangeDetection(), provideHttpClient(withFetch())] })
