module.exports = {
  testEnvironment: 'jest-fixed-jsdom', // or 'node'
  // MSW 2.12 and later need packages that are ES modules only.
  transform: { '\\.m?[jt]sx?$': 'babel-jest' }, // or '@swc/jest', or 'ts-jest' with allowJs
  transformIgnorePatterns: ['/node_modules/(?!(?:rettime|until-async|@open-draft)/)'],
}
