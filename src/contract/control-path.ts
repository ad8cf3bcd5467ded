// Where the control API and the console live: on the same origin as the service, outside its version segment.

export const CONTROL_PATH = '/__mock'
