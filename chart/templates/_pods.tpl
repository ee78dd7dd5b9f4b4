{{- define "ostiary.labels" -}}
app.kubernetes.io/part-of: ostiary
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{/* The image of a component. Takes the root and the component. */}}
{{- define "ostiary.image" -}}
{{- $image := .root.Values.image -}}
{{- $name := printf "%s/%s" $image.repository .component -}}
{{- if $image.registry }}{{ $name = printf "%s/%s" $image.registry $name }}{{ end -}}
{{- $digest := index $image.digests .component | default "" -}}
{{- if $digest }}{{ $name }}@{{ $digest }}{{ else }}{{ $name }}:{{ $image.tag | default .root.Chart.AppVersion }}{{ end -}}
{{- end }}

{{- define "ostiary.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "ostiary.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Environment variables for a list of secrets. Takes the root and the secrets. */}}
{{- define "ostiary.secretEnv" -}}
{{- $values := .root.Values.secrets }}
{{- range .secrets }}
{{- if $values.asFiles }}
- { name: {{ .name }}_FILE, value: /run/secrets/ostiary/{{ .name }} }
{{- if .second }}
- { name: {{ .name }}_SECOND_FILE, value: /run/secrets/ostiary/{{ .name }}_SECOND }
{{- end }}
{{- else }}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ $.secret }}, key: {{ .key }} }
{{- if .second }}
- name: {{ .name }}_SECOND
  valueFrom:
    secretKeyRef: { name: {{ $.secret }}, key: {{ .key }}_SECOND, optional: true }
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "ostiary.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .root.Values.secrets.asFiles }}
- { name: secrets, mountPath: /run/secrets/ostiary, readOnly: true }
{{- end }}
{{- end }}

{{/* A writable folder, and the secrets: each process gets only its own entries of the Secret. */}}
{{- define "ostiary.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- if .root.Values.secrets.asFiles }}
- name: secrets
  projected:
    # 0440
    defaultMode: 288
    sources:
      - secret:
          name: {{ .secret }}
          items:
            {{- range .secrets }}
            - { key: {{ .key }}, path: {{ .name }} }
            {{- end }}
      {{- $hasSecond := false }}
      {{- range .secrets }}{{ if .second }}{{ $hasSecond = true }}{{ end }}{{ end }}
      {{- if $hasSecond }}
      # Present during a replacement.
      - secret:
          name: {{ .secret }}
          optional: true
          items:
            {{- range .secrets }}
            {{- if .second }}
            - { key: {{ .key }}_SECOND, path: {{ .name }}_SECOND }
            {{- end }}
            {{- end }}
      {{- end }}
{{- end }}
{{- end }}

{{- define "ostiary.scheduling" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
{{- with .Values.pods.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .Values.pods.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- with .Values.pods.affinity }}
affinity: {{ toJson . }}
{{- end }}
{{- with .Values.pods.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{/* Seconds from SIGTERM to SIGKILL: drain time, shutdown timeout and a margin. Takes the root and the process's own values. */}}
{{- define "ostiary.grace" -}}
{{- $config := merge (deepCopy (.own.config | default dict)) .root.Values.config -}}
{{ add (int $config.DRAIN_SECONDS) (int $config.SHUTDOWN_TIMEOUT_SECONDS) .root.Values.pods.graceSeconds }}
{{- end }}
