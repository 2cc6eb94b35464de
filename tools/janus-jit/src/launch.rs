//! Several processes of one script: `janus-jit torchrun`, `janus-jit run --nproc`.
//!
//! In: torchrun's command line. Out: the workers, with the variables that say who they are; a store in which they find
//! one another. Always: the first worker that fails ends the others, and what it wrote to standard error is shown last;
//! no worker outlives this process.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::Write as _;
use std::net::{TcpListener, ToSocketAddrs as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use janus_bench::process::end_with_us;
use janus_distributed::{Client, Server, StoreError};

/// How long workers have to end after they were asked to.
const GRACE: Duration = Duration::from_secs(5);
/// How long after the first failure others may show that they failed before it.
const TOGETHER: Duration = Duration::from_millis(300);
/// Bytes of a worker's standard error that are kept, from its end.
const TAIL: usize = 16 << 10;
/// How long nodes wait for one another.
const MEETING: Duration = Duration::from_secs(600);

/// torchrun's options.
#[derive(Args)]
pub struct TorchrunArgs {
    /// How many machines take part
    #[arg(long, value_name = "N", default_value = "1", env = "PET_NNODES")]
    nnodes: String,
    /// Workers on this machine: a number, or `auto` or `cpu` for as many as it has processors
    #[arg(
        long,
        visible_alias = "nproc_per_node",
        value_name = "N",
        default_value = "1",
        env = "PET_NPROC_PER_NODE"
    )]
    nproc_per_node: String,
    /// Which of the machines this one is
    #[arg(
        long,
        visible_alias = "node_rank",
        value_name = "N",
        env = "PET_NODE_RANK"
    )]
    node_rank: Option<u32>,
    /// The machine with the store
    #[arg(
        long,
        visible_alias = "master_addr",
        value_name = "HOST",
        default_value = "127.0.0.1",
        env = "PET_MASTER_ADDR"
    )]
    master_addr: String,
    /// Its port
    #[arg(
        long,
        visible_alias = "master_port",
        value_name = "PORT",
        default_value_t = 29500,
        env = "PET_MASTER_PORT"
    )]
    master_port: u16,
    /// One machine, at any free port
    #[arg(long, env = "PET_STANDALONE", value_parser = clap::builder::FalseyValueParser::new())]
    standalone: bool,
    /// `static`: machines are numbered by --node-rank; `c10d`: in the order in which they come
    #[arg(long, visible_alias = "rdzv_backend", value_name = "KIND", value_parser = ["static", "c10d"], env = "PET_RDZV_BACKEND")]
    rdzv_backend: Option<String>,
    /// Where they meet: HOST or HOST:PORT
    #[arg(
        long,
        visible_alias = "rdzv_endpoint",
        value_name = "HOST[:PORT]",
        env = "PET_RDZV_ENDPOINT"
    )]
    rdzv_endpoint: Option<String>,
    /// The name of the job
    #[arg(
        long,
        visible_alias = "rdzv_id",
        value_name = "ID",
        default_value = "none",
        env = "PET_RDZV_ID"
    )]
    rdzv_id: String,
    /// How often all workers are started again after one failed
    #[arg(
        long,
        visible_alias = "max_restarts",
        value_name = "N",
        default_value_t = 0,
        env = "PET_MAX_RESTARTS"
    )]
    max_restarts: u32,
    /// The script is the name of a module
    #[arg(short = 'm', long)]
    module: bool,
    /// The script and its own arguments
    #[arg(value_name = "SCRIPT", trailing_var_arg = true, required = true)]
    script: Vec<OsString>,
}

/// A group of workers on this machine.
struct Job {
    /// What each runs: arguments of this program.
    arguments: Vec<OsString>,
    nodes: u32,
    node: u32,
    workers: u32,
    host: String,
    port: u16,
    id: String,
    max_restarts: u32,
    /// The store, if this machine has it.
    server: Option<Server>,
}

fn count(text: &str) -> Result<u32, String> {
    match text {
        "auto" | "cpu" => Ok(std::thread::available_parallelism().map_or(1, |n| n.get() as u32)),
        "gpu" => Err("--nproc-per-node gpu: there is no GPU here".to_owned()),
        _ => match text.parse() {
            Ok(n) if n > 0 => Ok(n),
            _ => Err(format!(
                "--nproc-per-node: '{text}' is no number of workers"
            )),
        },
    }
}

fn serve(port: u16) -> Result<Server, String> {
    Server::new(port).map_err(|e| {
        format!(
            "cannot listen at port {port}: {e}; name another one with --master-port, or take any with --standalone"
        )
    })
}

/// Whether a name is one of this machine's.
fn is_here(host: &str) -> bool {
    let addresses = (host, 0).to_socket_addrs();
    addresses.is_ok_and(|mut list| list.any(|address| TcpListener::bind(address).is_ok()))
}

fn connect(host: &str, port: u16) -> Result<Client, String> {
    let ends = Instant::now() + MEETING;
    loop {
        match Client::connect(host, port, Duration::from_secs(5)) {
            Ok(client) => return Ok(client),
            Err(StoreError::Connect { .. }) if Instant::now() < ends => {
                std::thread::sleep(Duration::from_millis(200));
            }
            Err(e) => return Err(format!("cannot reach {host}:{port}: {e}")),
        }
    }
}

impl TorchrunArgs {
    fn job(self) -> Result<Job, String> {
        let nodes = match self.nnodes.parse::<u32>() {
            Ok(n) if n > 0 => n,
            _ if self.nnodes.contains(':') => {
                return Err(
                    "--nnodes MIN:MAX: jobs that grow and shrink are not implemented".to_owned(),
                );
            }
            _ => {
                return Err(format!(
                    "--nnodes: '{}' is no number of machines",
                    self.nnodes
                ));
            }
        };
        if nodes > 1 && self.max_restarts > 0 {
            return Err("--max-restarts with several machines is not implemented".to_owned());
        }
        if self.standalone && nodes > 1 {
            return Err("--standalone is for one machine, and --nnodes says more".to_owned());
        }
        let workers = count(&self.nproc_per_node)?;
        let mut arguments: Vec<OsString> = vec!["run".into()];
        if self.module {
            arguments.push("-m".into());
        }
        arguments.extend(self.script);
        let (mut host, mut port) = (self.master_addr, self.master_port);
        if let Some(endpoint) = &self.rdzv_endpoint {
            (host, port) = match endpoint.rsplit_once(':') {
                Some((host, port)) => {
                    let port = port
                        .parse()
                        .map_err(|_| format!("--rdzv-endpoint: '{port}' is no port"))?;
                    (host.to_owned(), port)
                }
                None => (endpoint.clone(), port),
            };
        }
        let by_coming = self.rdzv_backend.as_deref() == Some("c10d");
        let (node, server) = if self.standalone || (nodes == 1 && port == 0) {
            host = "127.0.0.1".to_owned();
            (0, Some(serve(0)?))
        } else if by_coming && nodes > 1 {
            // Whoever is there first serves, if the address is this machine's.
            let server = is_here(&host).then(|| Server::new(port).ok()).flatten();
            let client = connect(&host, port)?;
            let key = format!("janus/nodes/{}", self.rdzv_id);
            let came = client.add(key.as_bytes(), 1).map_err(|e| e.to_string())?;
            let node = u32::try_from(came - 1).unwrap_or(u32::MAX);
            if node >= nodes {
                return Err(format!(
                    "the job '{}' has its {nodes} machines already",
                    self.rdzv_id
                ));
            }
            (node, server)
        } else {
            let node = self.node_rank.unwrap_or(0);
            if node >= nodes {
                return Err(format!("--node-rank {node}: there are {nodes} machines"));
            }
            (node, if node == 0 { Some(serve(port)?) } else { None })
        };
        if let Some(server) = &server {
            port = server.port();
        }
        Ok(Job {
            arguments,
            nodes,
            node,
            workers,
            host,
            port,
            id: self.rdzv_id,
            max_restarts: self.max_restarts,
            server,
        })
    }
}

/// Carries out `janus-jit torchrun`; gives the exit code.
pub fn torchrun(args: TorchrunArgs) -> i32 {
    run(args.job())
}

/// Carries out `janus-jit run --nproc N`, whose own arguments these are; gives the exit code.
pub fn workers(workers: u32, arguments: Vec<OsString>) -> i32 {
    run(serve(0).map(|server| Job {
        arguments,
        nodes: 1,
        node: 0,
        workers,
        host: "127.0.0.1".to_owned(),
        port: server.port(),
        id: "none".to_owned(),
        max_restarts: 0,
        server: Some(server),
    }))
}

/// The arguments of this program, after its name, without `--nproc N`.
pub fn without_nproc(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut all = arguments.into_iter().skip(1);
    while let Some(argument) = all.next() {
        if argument == "--nproc" {
            all.next();
        } else if !argument.to_string_lossy().starts_with("--nproc=") {
            kept.push(argument);
            continue;
        }
        // What comes behind may be the script's own.
        kept.extend(all);
        break;
    }
    kept
}

/// The signal that asks this process to end.
static ASKED: AtomicI32 = AtomicI32::new(0);

extern "C" fn asked(signal: i32) {
    ASKED.store(signal, Ordering::SeqCst);
}

fn run(job: Result<Job, String>) -> i32 {
    let job = match job {
        Ok(job) => job,
        Err(message) => {
            eprintln!("janus-jit: {message}");
            return 2;
        }
    };
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        let handler: extern "C" fn(i32) = asked;
        // SAFETY: the handler only stores a number.
        unsafe { libc::signal(signal, handler as libc::sighandler_t) };
    }
    let mut restarts = 0;
    loop {
        match job.attempt(restarts) {
            Ok(End::Well) => return 0,
            Ok(End::Asked(signal)) => return 128 + signal,
            Ok(End::Failed(failure)) if restarts >= job.max_restarts => {
                failure.show(&job);
                return 1;
            }
            Ok(End::Failed(failure)) => {
                restarts += 1;
                eprintln!(
                    "janus-jit: {}; all workers are started again ({restarts} of {})",
                    failure.line(&job),
                    job.max_restarts
                );
            }
            Err(message) => {
                eprintln!("janus-jit: {message}");
                return 2;
            }
        }
    }
}

/// The first worker that did not end well.
struct Failure {
    local_rank: u32,
    pid: u32,
    status: ExitStatus,
    /// The end of what it wrote to standard error.
    text: Vec<u8>,
}

enum End {
    Well,
    Failed(Failure),
    /// By a signal to this process.
    Asked(i32),
}

impl Failure {
    fn line(&self, job: &Job) -> String {
        let how = match (self.status.code(), self.status.signal()) {
            (Some(code), _) => format!("ended with exit code {code}"),
            (None, signal) => format!("was ended by signal {}", signal.unwrap_or(0)),
        };
        let rank = job.node * job.workers + self.local_rank;
        format!(
            "rank {rank} (local rank {}, pid {}) {how}",
            self.local_rank, self.pid
        )
    }

    fn show(&self, job: &Job) {
        let mut to = std::io::stderr().lock();
        // Where nobody reads, nobody is told.
        let _ = writeln!(to, "janus-jit: the first that failed: {}", self.line(job));
        if job.workers > 1 && !self.text.is_empty() {
            let _ = writeln!(to, "janus-jit: what it wrote:");
            let _ = to.write_all(&self.text);
        }
    }
}

/// The end of a worker's standard error.
type Tail = Arc<Mutex<Vec<u8>>>;

/// Passes on what a worker writes to standard error, and keeps the end of it.
fn pass_on(mut from: impl std::io::Read, tail: &Tail) {
    let mut part = [0; 4096];
    while let Ok(n @ 1..) = from.read(&mut part) {
        let part = part.get(..n).unwrap_or_default();
        let _ = std::io::stderr().write_all(part);
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(part);
        let over = tail.len().saturating_sub(TAIL);
        tail.drain(..over);
    }
}

/// A worker that has ended, and how.
type Ended = (u32, std::io::Result<ExitStatus>);

struct Workers {
    pids: Vec<u32>,
    tails: Vec<Tail>,
    running: HashSet<u32>,
    ends: Receiver<Ended>,
}

impl Workers {
    fn signal(&self, signal: i32) {
        for &rank in &self.running {
            if let Some(&pid) = self.pids.get(rank as usize) {
                // SAFETY: the worker has not been waited for, so the number is still its own.
                unsafe { libc::kill(pid.cast_signed(), signal) };
            }
        }
    }

    /// Of the workers that fail at about the same time, the one at fault: those that `is_told` knows of have failed since
    /// another one was gone, which may take longer to end than these take to fail.
    fn at_fault(
        &mut self,
        first: (u32, ExitStatus),
        is_told: impl Fn(u32) -> bool,
    ) -> (u32, ExitStatus) {
        let is_cause =
            |(rank, status): (u32, ExitStatus)| status.signal().is_some() || !is_told(rank);
        let begun = Instant::now();
        let mut last = first;
        while !is_cause(last)
            && let Some(left) = TOGETHER.checked_sub(begun.elapsed())
        {
            let Ok((rank, ended)) = self.ends.recv_timeout(left) else {
                break;
            };
            self.running.remove(&rank);
            match ended {
                Ok(status) if !status.success() => last = (rank, status),
                _ => {}
            }
        }
        if is_cause(last) { last } else { first }
    }

    /// Ends all that run: first they are asked.
    fn end(&mut self) {
        for (signal, limit) in [(libc::SIGTERM, GRACE), (libc::SIGKILL, Duration::MAX)] {
            self.signal(signal);
            let begun = Instant::now();
            while !self.running.is_empty() && begun.elapsed() < limit {
                match self.ends.recv_timeout(Duration::from_millis(100)) {
                    Ok((rank, _)) => self.running.remove(&rank),
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => return,
                };
            }
        }
    }
}

impl Job {
    fn command(&self, local_rank: u32, restarts: u32) -> Result<Command, String> {
        let own = std::env::current_exe().map_err(|e| format!("cannot find this program: {e}"))?;
        let mut command = Command::new(own);
        let rank = self.node * self.workers + local_rank;
        let world = self.nodes * self.workers;
        for (name, number) in [
            ("LOCAL_RANK", local_rank),
            ("RANK", rank),
            ("ROLE_RANK", rank),
            ("GROUP_RANK", self.node),
            ("LOCAL_WORLD_SIZE", self.workers),
            ("WORLD_SIZE", world),
            ("ROLE_WORLD_SIZE", world),
            ("GROUP_WORLD_SIZE", self.nodes),
            ("MASTER_PORT", u32::from(self.port)),
            ("TORCHELASTIC_RESTART_COUNT", restarts),
            ("TORCHELASTIC_MAX_RESTARTS", self.max_restarts),
        ] {
            command.env(name, number.to_string());
        }
        command
            .args(&self.arguments)
            // A worker starts no workers.
            .env_remove("JANUS_NPROC")
            .env("MASTER_ADDR", &self.host)
            .env("ROLE_NAME", "default")
            .env("TORCHELASTIC_RUN_ID", &self.id)
            .env("TORCHELASTIC_USE_AGENT_STORE", "True")
            .stderr(Stdio::piped());
        // As torchrun does: workers share the processors.
        if self.workers > 1 && std::env::var_os("OMP_NUM_THREADS").is_none() {
            command.env("OMP_NUM_THREADS", "1");
            if std::env::var_os("RAYON_NUM_THREADS").is_none() {
                command.env("RAYON_NUM_THREADS", "1");
            }
        }
        end_with_us(&mut command);
        Ok(command)
    }

    fn start(&self, restarts: u32) -> Result<Workers, String> {
        let (send, ends) = channel();
        let mut workers = Workers {
            pids: Vec::new(),
            tails: Vec::new(),
            running: HashSet::new(),
            ends,
        };
        for rank in 0..self.workers {
            let started = self.command(rank, restarts)?.spawn();
            let mut child: Child = match started {
                Ok(child) => child,
                Err(e) => {
                    workers.end();
                    return Err(format!("cannot start a worker: {e}"));
                }
            };
            workers.pids.push(child.id());
            workers.running.insert(rank);
            let tail = Tail::default();
            workers.tails.push(tail.clone());
            let errors = child.stderr.take();
            let send = send.clone();
            // What it started may hold its standard error open: the end does not wait for that.
            let reader = std::thread::spawn(move || {
                if let Some(errors) = errors {
                    pass_on(errors, &tail);
                }
            });
            std::thread::spawn(move || {
                let status = child.wait();
                let begun = Instant::now();
                while !reader.is_finished() && begun.elapsed() < Duration::from_millis(500) {
                    std::thread::sleep(Duration::from_millis(2));
                }
                // Nobody listens where the others have been ended.
                let _ = send.send((rank, status));
            });
        }
        Ok(workers)
    }

    fn attempt(&self, restarts: u32) -> Result<End, String> {
        let mut workers = self.start(restarts)?;
        while !workers.running.is_empty() {
            let asked = ASKED.load(Ordering::SeqCst);
            if asked != 0 {
                workers.end();
                return Ok(End::Asked(asked));
            }
            let (rank, status) = match workers.ends.recv_timeout(Duration::from_millis(50)) {
                Ok(ended) => ended,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            workers.running.remove(&rank);
            let status = status.map_err(|e| format!("cannot wait for a worker: {e}"))?;
            if !status.success() {
                let is_told = |local_rank: u32| {
                    let rank = self.node * self.workers + local_rank;
                    let key = format!("/worker/attempt_{restarts}/janus/failed/{rank}");
                    let server = self.server.as_ref();
                    server.is_some_and(|server| server.has(key.as_bytes()))
                };
                let (rank, status) = workers.at_fault((rank, status), is_told);
                workers.end();
                let place = rank as usize;
                let text = workers.tails.get(place).map(|tail| {
                    let tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
                    tail.clone()
                });
                return Ok(End::Failed(Failure {
                    local_rank: rank,
                    pid: workers.pids.get(place).copied().unwrap_or(0),
                    status,
                    text: text.unwrap_or_default(),
                }));
            }
        }
        Ok(End::Well)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(words: &[&str]) -> String {
        let words = words.iter().map(OsString::from).collect();
        let kept = without_nproc(words);
        kept.join(std::ffi::OsStr::new(" "))
            .to_string_lossy()
            .into_owned()
    }

    #[test]
    fn only_our_own_number_of_workers_goes() {
        assert_eq!(
            kept(&["j", "run", "--nproc", "2", "x.py", "--nproc", "3"]),
            "run x.py --nproc 3"
        );
        assert_eq!(
            kept(&["j", "run", "--tier", "0", "--nproc=2", "-m", "x"]),
            "run --tier 0 -m x"
        );
    }

    #[test]
    fn numbers_of_workers_are_read() {
        assert_eq!(count("3"), Ok(3));
        assert!(count("auto").is_ok_and(|n| n > 0));
        assert!(count("0").is_err() && count("gpu").is_err());
    }

    #[test]
    fn a_machine_knows_its_own_names() {
        assert!(is_here("127.0.0.1") && !is_here("192.0.2.1"));
    }
}
