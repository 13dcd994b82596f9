import { decisionRoutes } from './decisions.ts';
import { fleetRoutes } from './fleet.ts';
import { historyRoutes } from './history.ts';
import { inputRoutes } from './inputs.ts';
import { mappingRoutes } from './mapping.ts';
import { mergeRoutes } from './merges.ts';
import { planRoutes } from './plans.ts';
import { processRoutes } from './processes.ts';
import { projectRoutes } from './project.ts';
import type { AnyRoute, BytesRoute, Route, StreamRoute } from './route.ts';
import { runDetailRoutes } from './run-details.ts';
import { runRoutes } from './runs.ts';

/** Every request that the page can send. */
export const routes = {
  ...projectRoutes,
  ...processRoutes,
  ...runRoutes,
  ...inputRoutes,
  ...mappingRoutes,
  ...runDetailRoutes,
  ...historyRoutes,
  ...decisionRoutes,
  ...planRoutes,
  ...mergeRoutes,
  ...fleetRoutes,
} as const satisfies Readonly<Record<string, AnyRoute>>;

export type RouteName = keyof typeof routes;

type Typed<N extends RouteName> = NonNullable<(typeof routes)[N]['types']>;

/** What is sent with a request. */
export type RequestOf<N extends RouteName> = Typed<N>['request'];

/** What comes back; of a stream one event. */
export type AnswerOf<N extends RouteName> = Typed<N>['answer'];

type NamesOf<R extends AnyRoute> = {
  [N in RouteName]: (typeof routes)[N]['kind'] extends R['kind'] ? N : never;
}[RouteName];

export type CallName = NamesOf<Route>;
export type StreamName = NamesOf<StreamRoute>;
export type BytesName = NamesOf<BytesRoute>;
