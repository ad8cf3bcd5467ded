// The mock with its console in the page, instead of the first lines of main.ts.
if (import.meta.env.DEV) {
  const { createMock } = await import('animal-store-mock')
  const { createHandlers } = await import('animal-store-mock/msw')
  const { openConsole } = await import('animal-store-mock/console')
  const { setupWorker } = await import('msw/browser')
  const mock = createMock({ storage: sessionStorage })
  await setupWorker(...createHandlers(mock)).start()
  openConsole(mock)
}

export {}
