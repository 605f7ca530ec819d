/** How far an integration has come on the way to live production data. */
export type OnTheWay = Readonly<Record<'isInReview' | 'isApproved' | 'isActivated' | 'hasCertificate' | 'isGateOpen', boolean>>;

type StepFacts = {
  readonly title: string;
  /** What there is to do, or to wait for, as in “Go live, step 4 of 5: get a production certificate”. */
  readonly toDo: string;
  readonly isDone: (way: OnTheWay) => boolean;
};

/** The way from the sandbox to live production data, in the order of its steps (docs/specification.md, “Health”). */
export const productionPath = {
  submit: { title: 'Submit', toDo: 'submit for review', isDone: ({ isInReview, isApproved }) => isInReview || isApproved },
  review: { title: 'Review', toDo: 'wait for the review', isDone: ({ isApproved }) => isApproved },
  activate: { title: 'Activate', toDo: 'activate the integration', isDone: ({ isActivated }) => isActivated },
  certificate: { title: 'Production certificate', toDo: 'get a production certificate', isDone: ({ hasCertificate }) => hasCertificate },
  gate: { title: 'Gate', toDo: 'wait until administrators open the production gate', isDone: ({ isGateOpen }) => isGateOpen },
} as const satisfies Readonly<Record<string, StepFacts>>;

export type ProductionStepName = keyof typeof productionPath;

/** The names of the steps, in their order. */
export const productionStepNames = Object.keys(productionPath) as readonly ProductionStepName[];

/** The first step that is not done, or null where all are. */
export function stepAhead(way: OnTheWay): ProductionStepName | null {
  return productionStepNames.find((name) => !productionPath[name].isDone(way)) ?? null;
}

/** “Go live, step 4 of 5: get a production certificate”, or what is said of the step instead. */
export function stepWords(name: ProductionStepName, toDo: string = productionPath[name].toDo): string {
  return `Go live, step ${productionStepNames.indexOf(name) + 1} of ${productionStepNames.length}: ${toDo}`;
}
