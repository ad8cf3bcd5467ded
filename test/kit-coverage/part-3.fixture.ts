import { declareSuite } from './suite.ts'

declareSuite(3)
