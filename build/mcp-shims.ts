// In place of a module of the MCP SDK, whose validator is Ajv, a quarter of the file. Nothing here
// asks for it: the tools take any input, and the control API checks it.
export { default as process } from 'node:process'

export class DefaultJsonSchemaValidator {}
