"""The scripts of examples/cluster: do they ask schedulers and binade for what there is?

The commands in them are run by `binade … --plan`, in place of the schedulers' variables their first values; the Slurm script is
read by shellcheck, the Job is compared with the schemas of Kubernetes by kubernetes-validate, which has them with it. Both are in
peers/requirements.txt; what is not installed is named.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SLURM = ROOT / "examples/cluster/slurm.sh"
KUBERNETES = ROOT / "examples/cluster/kubernetes.yaml"
BINADE = os.environ.get("BINADE", "binade")

# What an indexed Job must say, by path, and how it is written.
JOB = {
    "apiVersion": r"batch/v1",
    "kind": r"Job",
    "metadata/name": r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?",
    "spec/completionMode": r"Indexed",
    "spec/completions": r"[1-9]\d*",
    "spec/parallelism": r"[1-9]\d*",
    "spec/backoffLimitPerIndex": r"\d+",
    "spec/template/spec/restartPolicy": r"Never",
    "spec/template/spec/terminationGracePeriodSeconds": r"\d+",
}
DIRECTIVES = {
    "job-name": r"\S+",
    "array": r"\d+-\d+(%\d+)?",
    "cpus-per-task": r"\d+",
    "mem": r"\d+[KMGT]?",
    "time": r"(\d+-)?\d+(:\d\d){0,2}",
    "requeue": r"",
    "signal": r"(B:)?[A-Z0-9]+(@\d+)?",
}


def planned(command, folder):
    """The pieces of a command of an example."""
    words = shlex.split(command)
    assert words[:2] == ["binade", "train"], words
    words[words.index("--shared") + 1] = os.path.join(folder, "swept")
    if "--cell" in words:
        del words[words.index("--cell") : words.index("--cell") + 2]
    done = subprocess.run([BINADE, *words[1:], "--plan", "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return len(json.loads(done.stdout))


def slurm(folder):
    text = SLURM.read_text()
    directives = re.findall(r"^#SBATCH (.*)$", text, re.MULTILINE)
    for directive in directives:
        name, _, value = directive.removeprefix("--").partition("=")
        assert name in DIRECTIVES, f"{SLURM}: #SBATCH {directive} is not an option that this check knows"
        assert re.fullmatch(DIRECTIVES[name], value), f"{SLURM}: #SBATCH {directive}"
    last = text[: text.index("set -eu")].rindex("#SBATCH")
    assert not re.search(r"^[^#\n]", text[:last], re.MULTILINE), "sbatch reads no directive after the first command"
    assert len(directives) >= 5
    subprocess.run(["bash", "-n", SLURM], check=True)
    command = re.search(r"exec srun --ntasks=1 (binade .*)\Z", text, re.DOTALL).group(1).replace("\\\n", " ")
    command = command.replace('"${SLURM_CPUS_PER_TASK:-1}"', "1").replace('"$shared"', "x")
    cells = planned(command, folder)
    assert f"{cells} cells" in text and f"--array=0-{cells - 1}," in text, f"{SLURM}: there are {cells} cells"
    beside = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    if shellcheck := shutil.which("shellcheck", path=beside):
        subprocess.run([shellcheck, SLURM], check=True)
        return "shellcheck has nothing to say"
    return "SKIPPED shellcheck, which is not installed"


def scalars(text):
    """The scalars of a manifest by path: enough of YAML for this one, whose lists are not needed."""
    found, path = {}, []
    for line in text.splitlines():
        match = re.fullmatch(r"( *)([A-Za-z]+):(?: (.*))?", line)
        if not match:
            continue
        depth = len(match[1]) // 2
        path[depth:] = [match[2]]
        if match[3] is not None:
            found["/".join(path)] = match[3]
    return found


def kubernetes(folder):
    text = KUBERNETES.read_text()
    found = scalars(text)
    for path, pattern in JOB.items():
        assert path in found, f"{KUBERNETES}: {path} is missing"
        assert re.fullmatch(pattern, found[path]), f"{KUBERNETES}: {path} is {found[path]}"
    mounts = re.findall(r"volumeMounts:\n +- name: (\S+)", text), re.findall(r"volumes:\n +- name: (\S+)", text)
    assert mounts[0] == mounts[1] != [], mounts
    command = re.search(r"exec (binade (?:.*\n)+?.*INDEX\")", text).group(1)
    assert '--cell "$JOB_COMPLETION_INDEX"' in command
    cells = planned(" ".join(command.split()), folder)
    assert int(found["spec/completions"]) == cells, f"{KUBERNETES}: there are {cells} cells"
    try:
        import kubernetes_validate
        import yaml
    except ModuleNotFoundError as missing:
        return f"SKIPPED the schemas of Kubernetes, for want of {missing.name}; what an indexed Job needs is there"
    job = yaml.safe_load(text)
    version = kubernetes_validate.latest_version()
    kubernetes_validate.validate(job, version, strict=True)
    # A check that finds nothing finds what is wrong.
    job["spec"]["completionModes"] = job["spec"].pop("completionMode")
    try:
        kubernetes_validate.validate(job, version, strict=True)
    except kubernetes_validate.ValidationError:
        return f"it is what the schemas of Kubernetes {version} say"
    raise AssertionError("a field that Kubernetes has not was not found")


def main():
    for check in (slurm, kubernetes):
        with tempfile.TemporaryDirectory() as folder:
            print(f"{check.__name__}: {check(folder)}")


if __name__ == "__main__":
    sys.exit(main())
