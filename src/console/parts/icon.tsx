// Inline icons, so that nothing has to be fetched. Each one accompanies a text.

const STROKES = {
  traffic: 'M2.5 5.5h10m0 0-3-3m3 3-3 3M13.5 10.5h-10m0 0 3-3m-3 3 3 3',
  scenarios: 'm8 2 6 3-6 3-6-3 6-3Zm-6 6 6 3 6-3M2 11l6 3 6-3',
  faults: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8l1-5.5Z',
  assumptions: 'M5.8 6a2.2 2.2 0 1 1 3.3 1.9c-.8.4-1.1.8-1.1 1.6M8 11.8v.1M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13Z',
  interface:
    'M6 2.5H5A1.5 1.5 0 0 0 3.5 4v2L2 8l1.5 2v2A1.5 1.5 0 0 0 5 13.5h1M10 2.5h1A1.5 1.5 0 0 1 12.5 4v2L14 8l-1.5 2v2a1.5 1.5 0 0 1-1.5 1.5h-1',
  system: 'M2 3h12v8H2zM6 13.5h4',
  light: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  dark: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z',
  close: 'm4 4 8 8M12 4l-8 8',
} as const

export type IconName = keyof typeof STROKES | 'animals'

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {name === 'animals' ? <Paw /> : <path d={STROKES[name]} />}
    </svg>
  )
}

function Paw() {
  return (
    <g class="filled">
      <ellipse cx="8" cy="10.6" rx="3.6" ry="3" />
      <circle cx="3" cy="7.2" r="1.5" />
      <circle cx="6.2" cy="4" r="1.6" />
      <circle cx="9.8" cy="4" r="1.6" />
      <circle cx="13" cy="7.2" r="1.5" />
    </g>
  )
}
