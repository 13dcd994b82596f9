import { decisionRoutes } from './decisions.ts';
import { fleetRoutes } from './fleet.ts';
import { historyRoutes } from './history.ts';
import { inputRoutes } from './inputs.ts';
import { mappingRoutes } from './mapping.ts';
import { mergeRoutes } from './merges.ts';
import { planRoutes } from './plans.ts';
import { processRoutes } from './processes.ts';
import { projectRoutes } from './project.ts';
import type { AnyRoute, Route, StreamRoute, UploadRoute } from './route.ts';
import { runDetailRoutes } from './run-details.ts';
import { runRoutes } from './runs.ts';

/** Every route of the studio, by name. */
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

/** The type of a route's request. */
export type RouteRequest<N extends RouteName> = Typed<N>['request'];

/** The type of a route's answer; for a stream, the type of one event. */
export type RouteAnswer<N extends RouteName> = Typed<N>['answer'];

type NamesOf<R extends AnyRoute> = {
  [N in RouteName]: (typeof routes)[N]['kind'] extends R['kind'] ? N : never;
}[RouteName];

export type JsonRouteName = NamesOf<Route>;
export type StreamRouteName = NamesOf<StreamRoute>;
export type UploadRouteName = NamesOf<UploadRoute>;
