# Child processes by fork, spawn and pool.
# fmt: off
import multiprocessing, os, sys
state = [1]
def work(n):
    state.append(n)
    return n * 2
work(1)
sys.stdout.flush()
pid = os.fork()
if pid == 0:
    for i in range(1000):
        work(i)
    print('child', len(state), flush=True)
    os._exit(3)
_, status = os.waitpid(pid, 0)
print('child ended with', os.waitstatus_to_exitcode(status), len(state))
work(2)
def target(q):
    q.put([work(i) for i in range(100)][-1])
if __name__ == '__main__':
    for method in ('fork', 'spawn'):
        context = multiprocessing.get_context(method)
        q = context.SimpleQueue()
        p = context.Process(target=target, args=(q,))
        p.start()
        print(method, q.get())
        p.join()
        print(p.exitcode)
    with multiprocessing.get_context('fork').Pool(2) as pool:
        print(pool.map(work, range(5)))
    work(3)
    print(state)
