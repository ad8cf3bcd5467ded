// What the person who measures got wrong: printed as one line.
export class Mistake extends Error {}
