import { quotedYamlTemplateTag as yaml } from '../../app/schedule/template.ts';
import { containerUserId, containerVolumePath, drainTimeoutSeconds, healthPort } from './deployment.ts';

/** The name of the workers' Kubernetes objects, except the secrets with tokens. */
export const workerObjectName = 'longshore-worker';

/** The values that fill in the workers' manifest. */
export interface WorkerManifestValues {
  readonly image: string | undefined;
  readonly workers: number;
  readonly hash: string;
  readonly args: readonly string[];
  readonly env: readonly object[];
  readonly port: number;
  readonly memory: string;
  readonly mounts: readonly object[];
  readonly volumes: readonly object[];
}

/** Returns the manifest of the workers' Deployment and of its PodDisruptionBudget. */
export function formatWorkersManifest({
  image,
  workers,
  hash,
  args,
  env,
  port,
  memory,
  ...pod
}: WorkerManifestValues): string {
  // Both volumes start empty and may be lost with the pod: the journals are in the database.
  const mounts = [
    { name: 'work', mountPath: containerVolumePath },
    { name: 'tmp', mountPath: '/tmp' },
    ...pod.mounts,
  ];
  const volumes = [
    { name: 'work', emptyDir: { sizeLimit: '15Gi' } },
    { name: 'tmp', emptyDir: { sizeLimit: '4Gi' } },
    ...pod.volumes,
  ];
  return yaml`apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${workerObjectName}
  labels: { app.kubernetes.io/name: ${workerObjectName} }
spec:
  replicas: ${workers}
  selector:
    matchLabels: { app.kubernetes.io/name: ${workerObjectName} }
  template:
    metadata:
      labels: { app.kubernetes.io/name: ${workerObjectName} }
      annotations:
        # Of the fleet's files: other files start other pods.
        checksum/fleet: ${hash}
    spec:
      terminationGracePeriodSeconds: ${drainTimeoutSeconds}
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: ${containerUserId}
        runAsGroup: ${containerUserId}
        fsGroup: ${containerUserId}
        seccompProfile: { type: RuntimeDefault }
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: { app.kubernetes.io/name: ${workerObjectName} }
      containers:
        - name: worker
          image: ${image}
          args: ${args}
          env: ${env}
          ports:
            - { name: health, containerPort: ${port} }
          startupProbe:
            httpGet: { path: /healthz, port: health }
            timeoutSeconds: 5
            periodSeconds: 2
            failureThreshold: 30
          livenessProbe:
            httpGet: { path: /healthz, port: health }
            timeoutSeconds: 5
            periodSeconds: 10
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: health }
            timeoutSeconds: 5
            periodSeconds: 5
            failureThreshold: 2
          resources:
            # 150 MiB, and 200 for each job at once. On the disk are the volumes work and tmp, and the log.
            requests: { cpu: 250m, memory: ${memory}, ephemeral-storage: 2Gi }
            limits: { memory: ${memory}, ephemeral-storage: 20Gi }
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts: ${mounts}
      volumes: ${volumes}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: ${workerObjectName}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: { app.kubernetes.io/name: ${workerObjectName} }
`;
}

/**
 * Returns the manifest of a headless Service for Prometheus and of a NetworkPolicy, which allows the health port in,
 * and DNS and the TCP `ports` out.
 */
export function formatNetworkManifest(ports: readonly number[]): string {
  const egress = ports.map((port) => ({ protocol: 'TCP', port }));
  return yaml`apiVersion: v1
kind: Service
metadata:
  name: ${workerObjectName}
  labels: { app.kubernetes.io/name: ${workerObjectName} }
spec:
  # Each worker has metrics of its own.
  clusterIP: None
  selector: { app.kubernetes.io/name: ${workerObjectName} }
  ports:
    - { name: health, port: ${healthPort}, targetPort: health }
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: ${workerObjectName}
spec:
  podSelector:
    matchLabels: { app.kubernetes.io/name: ${workerObjectName} }
  policyTypes: [Ingress, Egress]
  ingress:
    # Prometheus, in any namespace of the cluster; probes of the node are always allowed.
    - from:
        - namespaceSelector: {}
      ports:
        - { protocol: TCP, port: health }
  egress:
    - ports:
        - { protocol: UDP, port: 53 }
        - { protocol: TCP, port: 53 }
    # The database, the workspaces, buckets and alerts.
    - ports: ${egress}
`;
}

/** Returns the manifest of a PodMonitor, for clusters with the Prometheus Operator. */
export function formatMonitorManifest(): string {
  return yaml`# For clusters with the Prometheus Operator.
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata:
  name: ${workerObjectName}
  labels: { app.kubernetes.io/name: ${workerObjectName} }
spec:
  selector:
    matchLabels: { app.kubernetes.io/name: ${workerObjectName} }
  podMetricsEndpoints:
    - { port: health, path: /metrics, interval: 30s }
`;
}
